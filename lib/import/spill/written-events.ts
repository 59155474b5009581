import type { FileEvent } from '../../history/incoming.ts';
import { readSerial, type SerialReader, type SerialWriter, writeSerial } from '../../history/storage/serial-events.ts';

// Events as text: a comma after each number, the length in bytes before each text. It takes a third of the time of JSON.

// One writer serves all events, because an import writes millions of them, one after the other.
let written = '';
let indexed: number | undefined; // a member, written right after the number that would hold its index

const number = (value: number): void => {
  written += `${value},`;
};
const text = (value: string): void => {
  written += `${Buffer.byteLength(value)},${value}`;
};

const OUT: SerialWriter = {
  number,
  id: text,
  owner: text,
  put: (_, value) => {
    number(value);
    if (indexed !== undefined) number(indexed);
    indexed = undefined;
  },
  text: (value) => text(JSON.stringify(value)),
  index: (_, member) => {
    indexed = member;
    return 0;
  },
};

/** Writes an event as a text from which `readWritten` can tell where it ends. */
export function writeEvent({ event, line }: FileEvent): string {
  written = `${line},`;
  writeSerial(event, OUT);
  return written;
}

const COMMA = 44;
const ZERO = 48;

/** Reads the events from texts of `writeEvent`, one after the other, in UTF-8. */
export function readWritten(source: Buffer): FileEvent[] {
  const fileEvents: FileEvent[] = [];
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let byte = source[at++]!; byte !== COMMA; byte = source[at++]!) value = value * 10 + (byte - ZERO);
    return value;
  };
  const nextText = (): string => {
    const length = next();
    return source.toString('utf8', at, (at += length));
  };
  let owner = ''; // the last owner: events with the same owner share one string
  const form: SerialReader = {
    number: next,
    id: nextText,
    owner: () => {
      const read = nextText();
      if (read !== owner) owner = read;
      return owner;
    },
    next,
    text: () => JSON.parse(nextText()),
    member: next,
  };
  while (at < source.length) {
    const line = next();
    fileEvents.push({ event: readSerial(next(), form), line });
  }
  return fileEvents;
}
