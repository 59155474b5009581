const BYTES = Buffer.from('"B":"'); // of an attribute; inside a text its quotes are escaped
const QUOTE = 34;
const PIECE = 2 ** 14; // characters: such a text stays in the processor's cache, which saves a third of the time
const GROUP = 4; // characters of base64 that hold whole bytes
const SCRATCH = 2 ** 16; // bytes
const NOTHING = Buffer.alloc(0);

/** Takes an answer of the engine, JSON, piece by piece as it comes. */
export interface AnswerReader {
  take(chunk: Buffer): void;
  /** The value of all that came; throws where that is no JSON. */
  value(): unknown;
  /** All that came, with numbers in the place of bytes. */
  text(): string;
}

/**
 * A reader of one answer. Bytes are most of a long one, and go around the parser, which sees their numbers instead: a
 * report that reads 45 MB of segments takes a sixth less time. They are decoded as they come, and no piece is kept: the next
 * may lie where it did.
 */
export function createAnswerReader(): AnswerReader {
  const texts: Buffer[] = [];
  const bytes: Uint8Array[] = [];
  let held = NOTHING; // the end of the last chunk, where it may be how bytes begin
  let open: Base64 | undefined;

  /** Takes text up to where bytes begin; gives the place after that. */
  function takeText(chunk: Buffer, from: number): number {
    const at = chunk.indexOf(BYTES, from);
    if (at >= 0) {
      texts.push(Buffer.from(`${chunk.toString('latin1', from, at)}"B":"#${bytes.length}`, 'latin1'));
      open = createBase64();
      return at + BYTES.length;
    }
    const end = chunk.length - beginningAtEnd(chunk, from);
    texts.push(Buffer.from(chunk.subarray(from, end)));
    held = Buffer.from(chunk.subarray(end));
    return chunk.length;
  }

  function takeBytes(into: Base64, chunk: Buffer, from: number): number {
    const quote = chunk.indexOf(QUOTE, from);
    const end = quote < 0 ? chunk.length : quote;
    into.take(chunk, from, end);
    if (quote < 0) return end;
    bytes.push(into.bytes());
    open = undefined;
    return quote;
  }

  const text = (): string => Buffer.concat([...texts, held]).toString();
  return {
    take: (piece) => {
      const chunk = held.length === 0 ? piece : Buffer.concat([held, piece]);
      held = NOTHING;
      for (let at = 0; at < chunk.length; ) at = open === undefined ? takeText(chunk, at) : takeBytes(open, chunk, at);
    },
    value: () =>
      JSON.parse(text(), (key, value) =>
        key === 'B' && typeof value === 'string' ? bytes[Number(value.slice(1))] : value,
      ),
    text,
  };
}

/** How many characters at the end of a chunk are the beginning of `BYTES`. */
function beginningAtEnd(chunk: Buffer, from: number): number {
  for (let length = Math.min(BYTES.length - 1, chunk.length - from); length > 0; length -= 1) {
    if (chunk.subarray(chunk.length - length).equals(BYTES.subarray(0, length))) return length;
  }
  return 0;
}

/** Bytes that come as base64, in pieces of any length. */
interface Base64 {
  take(chunk: Buffer, from: number, end: number): void;
  bytes(): Uint8Array; // exactly those that came
}

const rooms: Buffer[] = []; // to decode in, as many as there were ever bytes under way at once

function createBase64(): Base64 {
  let room = rooms.pop() ?? Buffer.allocUnsafeSlow(SCRATCH);
  let length = 0;
  let rest = ''; // of a group whose other characters are still to come

  function write(text: string): void {
    if (length + text.length > room.length) room = Buffer.concat([room], 2 * (room.length + text.length));
    length += room.write(text, length, 'base64');
  }

  return {
    take: (chunk, from, end) => {
      for (let at = from; at < end; at += PIECE) {
        const text = rest + chunk.toString('latin1', at, Math.min(end, at + PIECE));
        const whole = text.length - (text.length % GROUP);
        rest = text.slice(whole);
        write(whole === text.length ? text : text.slice(0, whole));
      }
    },
    bytes: () => {
      write(rest);
      rooms.push(room);
      return new Uint8Array(room.subarray(0, length));
    },
  };
}
