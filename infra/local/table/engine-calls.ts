import { randomUUID } from 'node:crypto';
import type { TransactWriteItemsInput, TransactWriteItemsOutput } from '@aws-sdk/client-dynamodb';
import type { Calls } from '../../../lib/store/calls.ts';
import type { TableCalls } from '../../../lib/store/create-table.ts';
import { pause } from '../../../lib/store/pause.ts';
import { type AnswerReader, createAnswerReader } from './engine-answer.ts';
import { engineConnections } from './engine-connections.ts';

/** Calls to the embedded engine, and their connections. */
export interface EngineCalls extends Calls, TableCalls {
  close(): void;
}

interface Answer {
  readonly status: number;
  readonly body: AnswerReader;
}

/** The error of a call that the engine answered: its name is DynamoDB's. */
interface Refusal extends Error {
  readonly $metadata: { readonly httpStatusCode: number };
}

const TRIES = 6; // an engine that died is started again within two seconds
const ANSWERS_WITHIN = 10_000; // ms
const CONNECTIONS = 64;

/** The engine wants to see credentials and takes any. */
const HEADERS = {
  'Content-Type': 'application/x-amz-json-1.0',
  'X-Amz-Date': '20260101T000000Z',
  Authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
};

/**
 * Calls to the embedded engine in DynamoDB's own JSON over HTTP. What the SDK does about regions, credentials and
 * signatures takes three times as long as such a call, and a report makes seven.
 */
export function engineCalls(endpoint: string): EngineCalls {
  const { hostname: host, port } = new URL(endpoint);
  const connections = engineConnections({ host, port: Number(port), most: CONNECTIONS, within: ANSWERS_WITHIN });

  async function post(operation: string, input: Buffer): Promise<Answer> {
    const body = createAnswerReader();
    const headers = { ...HEADERS, 'X-Amz-Target': `DynamoDB_20120810.${operation}` };
    return { status: await connections.post(headers, input, body), body };
  }

  const call =
    <Input extends object, Output>(operation: string) =>
    async (input: Input): Promise<Output> => {
      const body = bodyOf(input);
      for (let attempt = 1; ; attempt += 1) {
        try {
          const answer = await post(operation, body);
          if (answer.status !== 200) throw refusal(answer);
          return answer.body.value() as Output;
        } catch (error) {
          if (attempt === TRIES || !isPassing(error)) throw error;
          await pause(attempt);
        }
      }
    };

  const transact = call<TransactWriteItemsInput, TransactWriteItemsOutput>('TransactWriteItems');
  return {
    getItem: call('GetItem'),
    batchGetItem: call('BatchGetItem'),
    query: call('Query'),
    scan: call('Scan'),
    putItem: call('PutItem'),
    deleteItem: call('DeleteItem'),
    transactWriteItems: (input) => transact({ ClientRequestToken: randomUUID(), ...input }), // done once, however often it is tried
    batchWriteItem: call('BatchWriteItem'),
    describeTable: call('DescribeTable'),
    createTable: call('CreateTable'),
    close: connections.close,
  };
}

const NUMBERS = /(?<="B":")#\d+(?=")/;

/** The body that asks for something. Bytes go around the writer of JSON, which puts their numbers in their place. */
function bodyOf(input: object): Buffer {
  const all: Uint8Array[] = [];
  const text = JSON.stringify(input, (_, value: unknown) =>
    holdsBytes(value) ? { B: `#${all.push(value.B) - 1}` } : value,
  );
  if (all.length === 0) return Buffer.from(text);
  const [first = '', ...others] = text.split(NUMBERS);
  const parts = all.flatMap((bytes, place) => [toBase64(bytes), Buffer.from(others[place] ?? '')]);
  return Buffer.concat([Buffer.from(first), ...parts]);
}

/** Asked of the value as a whole: the writer has turned a Buffer into JSON before it shows it. */
const holdsBytes = (value: unknown): value is { readonly B: Uint8Array } =>
  typeof value === 'object' && value !== null && 'B' in value && value.B instanceof Uint8Array;

const toBase64 = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(Buffer.from(buffer, byteOffset, length).toString('base64'), 'latin1');

function refusal({ status, body }: Answer): Refusal {
  const $metadata = { httpStatusCode: status };
  try {
    const { __type, message, Message, ...rest } = body.value() as Record<string, string | undefined>;
    const name = String(__type).split('#').at(-1) ?? '';
    return Object.assign(new Error(message ?? Message), rest, { name, $metadata });
  } catch {
    return Object.assign(new Error(body.text()), { $metadata });
  }
}

/** Whether the same call may succeed a moment later: the engine was not there, or in trouble. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof Error && '$metadata' in error) || (error as Refusal).$metadata.httpStatusCode >= 500;
