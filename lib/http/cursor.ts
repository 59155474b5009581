import type * as z from 'zod';

/** A text for clients that says where a page ended. */
export const writeCursor = (holds: unknown): string => Buffer.from(JSON.stringify(holds)).toString('base64url');

/** What a cursor holds; undefined for a text that is none of this shape. */
export function readCursor<T>(shape: z.ZodType<T>, text: string): T | undefined {
  try {
    return shape.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    return undefined;
  }
}
