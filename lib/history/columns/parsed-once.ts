import type * as z from 'zod';
import { inflateJson } from './deflated-json.ts';

const REMEMBERED = 1000; // texts in the cache
const LONGEST = 1000; // deflated bytes of a text that is cached

/**
 * Returns a function that reads deflated JSON by a schema and caches the results by the bytes: nearly all segments of a
 * site have the same dictionaries, and to inflate and check one takes as long as to decode a column of a thousand
 * facts. Callers share the results and must not change them.
 */
export function parsedOnce<Value>(schema: z.ZodType<Value>): (text: Uint8Array | undefined) => Value {
  const known = new Map<string, Value>();
  const parse = (text: Uint8Array): Value => schema.parse(inflateJson(text));
  return (text) => {
    if (text === undefined) return schema.parse(undefined);
    if (text.length > LONGEST) return parse(text);
    const name = Buffer.from(text.buffer, text.byteOffset, text.length).toString('latin1');
    const before = known.get(name);
    if (before !== undefined) return before;
    const value = parse(text);
    if (known.size === REMEMBERED) known.clear();
    known.set(name, value);
    return value;
  };
}
