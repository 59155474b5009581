import { setTimeout as sleep } from 'node:timers/promises';
import type { CreateTableInput, DescribeTableInput, DescribeTableOutput } from '@aws-sdk/client-dynamodb';

/** The calls of DynamoDB that making a table takes; they throw as the SDK does. */
export interface TableCalls {
  describeTable(input: DescribeTableInput): Promise<DescribeTableOutput>;
  createTable(input: CreateTableInput): Promise<unknown>;
}

const STEP = 100; // ms between two looks at a new table
const LOOKS = 300;

/** Makes the table where there is none: for the embedded engine and tests; in the cloud the stack makes it. */
export async function createTable(calls: TableCalls, name: string): Promise<void> {
  if ((await statusOf(calls, name)) !== undefined) return;
  try {
    await calls.createTable({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    });
  } catch (error) {
    if (!hasName(error, 'ResourceInUseException')) throw error; // made by another meanwhile
  }
  for (let look = 0; (await statusOf(calls, name)) !== 'ACTIVE'; look += 1) {
    if (look === LOOKS) throw new Error(`the table ${name} does not become active`);
    await sleep(STEP);
  }
}

/** Undefined: there is no such table. */
async function statusOf(calls: TableCalls, name: string): Promise<string | undefined> {
  try {
    const { Table } = await calls.describeTable({ TableName: name });
    return Table?.TableStatus ?? 'CREATING';
  } catch (error) {
    if (hasName(error, 'ResourceNotFoundException')) return undefined;
    throw error;
  }
}

const hasName = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;
