import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

export interface Connection {
  readonly endpoint?: string | undefined; // default: AWS
  readonly local?: boolean | undefined; // an engine that accepts any credentials
}

/**
 * Limits of calls to the table: silence, in ms, tries of a call, and calls at once. The SDK's own `requestTimeout` warns
 * and goes on waiting.
 */
export const TABLE_CALLS = { silence: 20_000, tries: 4, sockets: 64 } as const;

/** Limits of calls to other services of AWS, in ms: a large file takes long, but never stands still. */
export const AWS_CALLS = { connectionTimeout: 5_000, socketTimeout: 60_000 } as const;

/** A client of DynamoDB or of a compatible engine. */
export function connect({ endpoint, local }: Connection): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts: TABLE_CALLS.tries,
    // The SDK's own decoder checks each text first, which takes longer than the rest of reading segments.
    base64Decoder: decodeBase64,
    requestHandler: {
      socketTimeout: TABLE_CALLS.silence,
      // A cold function with little processor time may need seconds; all tries end before the gateway's timeout.
      connectionTimeout: 5_000,
      httpsAgent: { maxSockets: TABLE_CALLS.sockets },
      httpAgent: { maxSockets: TABLE_CALLS.sockets },
    },
    ...(endpoint !== undefined && { endpoint }),
    ...(local && { region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }),
  });
}

/** Decodes the bytes of DynamoDB's JSON. */
function decodeBase64(text: string): Uint8Array {
  const { buffer, byteOffset, length } = Buffer.from(text, 'base64');
  return new Uint8Array(buffer, byteOffset, length);
}
