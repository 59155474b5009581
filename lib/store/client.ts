import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { decodeBase64 } from './attributes.ts';

export interface Connection {
  readonly endpoint?: string | undefined; // unset: AWS itself
  readonly local?: boolean | undefined; // an engine that takes any credentials
}

/** A client of DynamoDB or of an engine that speaks like it. */
export function connect({ endpoint, local }: Connection): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts: 4,
    cacheMiddleware: true, // put together once a kind of command: a third of a small call's time
    base64Decoder: decodeBase64, // the SDK's own checks each text first, which takes longer than all the rest of reading segments
    requestHandler: {
      requestTimeout: 10_000,
      connectionTimeout: 5_000, // a cold function short of processor time may need seconds; all tries end before the gateway does
      httpsAgent: { maxSockets: 64 },
      httpAgent: { maxSockets: 64 },
    },
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(local ? { region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } } : {}),
  });
}
