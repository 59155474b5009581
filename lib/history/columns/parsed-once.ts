import type * as z from 'zod';
import { inflateJson } from './deflated-json.ts';

const REMEMBERED = 1000; // texts
const LONGEST = 1000; // bytes, deflated, of a text that is remembered

/**
 * Reads deflated JSON by a schema, and remembers by its bytes what it gave: nearly all segments of a site have the same
 * dictionaries, and to inflate and check one takes as long as a column of thousand facts. So the result is read only.
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
