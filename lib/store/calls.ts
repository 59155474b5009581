import {
  BatchGetItemCommand,
  type BatchGetItemInput,
  type BatchGetItemOutput,
  BatchWriteItemCommand,
  type BatchWriteItemInput,
  type BatchWriteItemOutput,
  CreateTableCommand,
  DeleteItemCommand,
  type DeleteItemInput,
  type DeleteItemOutput,
  DescribeTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  type GetItemInput,
  type GetItemOutput,
  PutItemCommand,
  type PutItemInput,
  type PutItemOutput,
  QueryCommand,
  type QueryInput,
  type QueryOutput,
  ScanCommand,
  type ScanInput,
  type ScanOutput,
  TransactWriteItemsCommand,
  type TransactWriteItemsInput,
  type TransactWriteItemsOutput,
} from '@aws-sdk/client-dynamodb';
import type { TableCalls } from './create-table.ts';

/** The calls of DynamoDB that a table is made of, each tried again after passing faults; they throw as the SDK does. */
export interface Calls {
  getItem(input: GetItemInput): Promise<GetItemOutput>;
  batchGetItem(input: BatchGetItemInput): Promise<BatchGetItemOutput>;
  query(input: QueryInput): Promise<QueryOutput>;
  scan(input: ScanInput): Promise<ScanOutput>;
  putItem(input: PutItemInput): Promise<PutItemOutput>;
  deleteItem(input: DeleteItemInput): Promise<DeleteItemOutput>;
  transactWriteItems(input: TransactWriteItemsInput): Promise<TransactWriteItemsOutput>;
  batchWriteItem(input: BatchWriteItemInput): Promise<BatchWriteItemOutput>;
}

/** Calls by the SDK. */
export const callsOf = (client: DynamoDBClient): Calls => ({
  getItem: (input) => client.send(new GetItemCommand(input)),
  batchGetItem: (input) => client.send(new BatchGetItemCommand(input)),
  query: (input) => client.send(new QueryCommand(input)),
  scan: (input) => client.send(new ScanCommand(input)),
  putItem: (input) => client.send(new PutItemCommand(input)),
  deleteItem: (input) => client.send(new DeleteItemCommand(input)),
  transactWriteItems: (input) => client.send(new TransactWriteItemsCommand(input)),
  batchWriteItem: (input) => client.send(new BatchWriteItemCommand(input)),
});

/** Likewise what making a table takes. */
export const tableCallsOf = (client: DynamoDBClient): TableCalls => ({
  describeTable: (input) => client.send(new DescribeTableCommand(input)),
  createTable: (input) => client.send(new CreateTableCommand(input)),
});
