import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

export interface Connection {
  readonly endpoint?: string | undefined; // default: AWS
  readonly local?: boolean | undefined; // an engine that accepts any credentials
}

/** A client of DynamoDB or of a compatible engine. */
export function connect({ endpoint, local }: Connection): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts: 4,
    // The SDK's own decoder checks each text first, which takes longer than the rest of reading segments.
    base64Decoder: decodeBase64,
    requestHandler: {
      requestTimeout: 10_000,
      // A cold function with little processor time may need seconds; all tries end before the gateway's timeout.
      connectionTimeout: 5_000,
      httpsAgent: { maxSockets: 64 },
      httpAgent: { maxSockets: 64 },
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
