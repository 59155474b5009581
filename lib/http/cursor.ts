import type * as z from 'zod';

/** Encodes the position after a page, for clients to send back. */
export const writeCursor = (position: unknown): string => Buffer.from(JSON.stringify(position)).toString('base64url');

/** Decodes a cursor; undefined if the text does not hold this shape. */
export function readCursor<T>(shape: z.ZodType<T>, text: string): T | undefined {
  try {
    return shape.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    return undefined;
  }
}
