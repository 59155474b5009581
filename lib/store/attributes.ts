import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

/** Plain values as DynamoDB writes them: `{ pk: { S: 'deployment' } }`. */
export type Attributes = Record<string, AttributeValue>;

/** Absent values are dropped. */
export const toAttributes = (values: object): Attributes => marshall(values, { removeUndefinedValues: true });

/** Numbers are plain, bytes are a `Uint8Array`. */
export const fromAttributes = (attributes: Attributes): Record<string, unknown> => unmarshall(attributes);
