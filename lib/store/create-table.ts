import { setTimeout as sleep } from 'node:timers/promises';
import { CreateTableCommand, DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';

const STEP = 100; // ms between two looks at a new table
const LOOKS = 300;

/** Makes the table where there is none: for engines on this machine and tests; in the cloud the stack makes it. */
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
    if (!hasName(error, 'ResourceInUseException')) throw error; // made by another meanwhile
  }
  for (let look = 0; (await statusOf(client, name)) !== 'ACTIVE'; look += 1) {
    if (look === LOOKS) throw new Error(`the table ${name} does not become active`);
    await sleep(STEP);
  }
}

/** Undefined: there is no such table. */
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
