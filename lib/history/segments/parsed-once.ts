import type * as z from 'zod';
import { memoizeSome } from '../../memo.ts';
import { inflateJson } from './deflated-json.ts';

const REMEMBERED = 1000; // texts in the cache
const LONGEST = 1000; // deflated bytes of a text that is cached

/**
 * Returns a function that reads deflated JSON by a schema and caches the results by the bytes: nearly all segments of a
 * site have the same dictionaries, and to inflate and check one takes as long as to decode a column of a thousand
 * facts. Callers share the results and must not change them.
 */
export function parsedOnce<Value extends NonNullable<unknown>>(
  schema: z.ZodType<Value>,
): (text: Uint8Array | undefined) => Value {
  const parse = (text: Uint8Array): Value => schema.parse(inflateJson(text));
  const parseOnce = memoizeSome(REMEMBERED, (text: string) => parse(Buffer.from(text, 'latin1')));
  return (text) => {
    if (text === undefined) return schema.parse(undefined);
    if (text.length > LONGEST) return parse(text);
    return parseOnce(Buffer.from(text.buffer, text.byteOffset, text.length).toString('latin1'));
  };
}
