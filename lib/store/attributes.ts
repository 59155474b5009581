import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

/** Plain values as DynamoDB writes them: `{ pk: { S: 'deployment' } }`. */
export type Attributes = Record<string, AttributeValue>;

/** Absent values are dropped. */
export const toAttributes = (values: object): Attributes => marshall(values, { removeUndefinedValues: true });

/** Numbers are plain, bytes are a `Uint8Array`. */
export const fromAttributes = (attributes: Attributes): Record<string, unknown> => unmarshall(attributes);

/** The bytes that DynamoDB's JSON writes as such a text. */
export function decodeBase64(text: string): Uint8Array {
  const { buffer, byteOffset, length } = Buffer.from(text, 'base64');
  return new Uint8Array(buffer, byteOffset, length);
}
