import { setTimeout as sleep } from 'node:timers/promises';
import { CreateTableCommand, DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';

const STEP = 100; // ms between two checks of a new table
const CHECKS = 300;

/** Creates the table if it does not exist: for local engines and tests. In the cloud the stack creates it. */
export async function createTable(client: DynamoDBClient, name: string): Promise<void> {
  if ((await statusOf(client, name)) !== undefined) return;
  try {
    const command = new CreateTableCommand({
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
    await client.send(command);
  } catch (error) {
    if (!hasName(error, 'ResourceInUseException')) throw error; // another process has created it meanwhile
  }
  for (let check = 0; (await statusOf(client, name)) !== 'ACTIVE'; check += 1) {
    if (check === CHECKS) throw new Error(`the table ${name} has not become active`);
    await sleep(STEP);
  }
}

/** The table's status; undefined if it does not exist. */
async function statusOf(client: DynamoDBClient, name: string): Promise<string | undefined> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    return Table?.TableStatus ?? 'CREATING';
  } catch (error) {
    if (hasName(error, 'ResourceNotFoundException')) return undefined;
    throw error;
  }
}

const hasName = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;
