import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

export interface Connection {
  readonly endpoint?: string | undefined; // unset: AWS itself
  readonly local?: boolean | undefined; // an engine that takes any credentials
}

/** A client of DynamoDB or of an engine that speaks like it. */
export function connect({ endpoint, local }: Connection): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts: 4,
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

/** The bytes that DynamoDB's JSON writes as such a text. */
function decodeBase64(text: string): Uint8Array {
  const { buffer, byteOffset, length } = Buffer.from(text, 'base64');
  return new Uint8Array(buffer, byteOffset, length);
}
