import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { FUNCTIONS, type FunctionName } from '../../../infra/stack/functions.ts';
import { KEEP_ACTIONS, READ_ACTIONS, WRITE_ACTIONS } from '../../../infra/stack/permissions.ts';

/** Thrown for a call that the role of its function does not allow. */
export class AccessDenied extends Error {}

/** A question to IAM about a call: whether an action is allowed on an item with a partition key. */
interface Question {
  readonly action: string; // `dynamodb:PutItem`
  readonly leadingKey: string;
}

/** Limits a client to what the role of a function allows, including the leading keys, which emulators do not check. */
export function police(client: DynamoDBClient, name: FunctionName): DynamoDBClient {
  const { reads, writes, keeps } = FUNCTIONS[name];
  const statements: readonly (readonly [actions: readonly string[], patterns: readonly string[]])[] = [
    [READ_ACTIONS, reads],
    [WRITE_ACTIONS, writes],
    [KEEP_ACTIONS, keeps],
  ];
  const allowed = ({ action, leadingKey }: Question): boolean =>
    statements.some(
      ([actions, patterns]) => actions.includes(action) && patterns.some((pattern) => isLike(leadingKey, pattern)),
    );
  client.middlewareStack.add(
    (next, context) => async (args) => {
      for (const question of questionsOf(z.string().parse(context.commandName), args.input)) {
        if (!allowed(question)) throw new AccessDenied(`${name}: ${question.action} on ${question.leadingKey}`);
      }
      return next(args);
    },
    { step: 'deserialize', priority: 'high', name: 'police' },
  );
  return client;
}

/** `StringLike` of IAM: a star stands for any characters. */
function isLike(text: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}

const key = z.looseObject({ pk: z.object({ S: z.string() }) });
const one = z.union([
  z.object({ Key: key }).transform(({ Key }) => Key.pk.S),
  z.object({ Item: key }).transform(({ Item }) => Item.pk.S),
  z
    .object({ ExpressionAttributeValues: z.looseObject({ ':pk': key.shape.pk }) })
    .transform(({ ExpressionAttributeValues: values }) => values[':pk'].S),
]);
const transaction = z.object({ TransactItems: z.array(z.record(z.string(), one)) });
const batchGet = z.object({ RequestItems: z.record(z.string(), z.object({ Keys: z.array(key) })) });
const batchWrite = z.object({ RequestItems: z.record(z.string(), z.array(z.record(z.string(), one))) });

/** The actions of the parts of a transaction, which has no action of its own. */
const PARTS: Readonly<Record<string, string>> = {
  Put: 'dynamodb:PutItem',
  Delete: 'dynamodb:DeleteItem',
  ConditionCheck: 'dynamodb:ConditionCheckItem',
};

function questionsOf(command: string, input: unknown): Question[] {
  const action = `dynamodb:${command.replace(/Command$/, '')}`;
  switch (action) {
    case 'dynamodb:TransactWriteItems':
      return transaction
        .parse(input)
        .TransactItems.flatMap((parts) => Object.entries(parts))
        .map(([kind, leadingKey]) => ({ action: PARTS[kind] ?? kind, leadingKey }));
    case 'dynamodb:BatchGetItem':
      return Object.values(batchGet.parse(input).RequestItems)
        .flatMap(({ Keys }) => Keys)
        .map(({ pk }) => ({ action, leadingKey: pk.S }));
    case 'dynamodb:BatchWriteItem':
      return Object.values(batchWrite.parse(input).RequestItems)
        .flat()
        .flatMap((parts) => Object.values(parts))
        .map((leadingKey) => ({ action, leadingKey }));
    default:
      return [{ action, leadingKey: one.parse(input) }];
  }
}
