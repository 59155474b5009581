import { type AsOf, type HistoryEvent, isOfAgent } from '../cases/event.ts';
import {
  FLAGS,
  type FormReader,
  type FormWriter,
  isAgentType,
  readForm,
  typeNumberOf,
  typeOf,
  writeForm,
} from './ledger-forms.ts';

/** Takes events as a sequence of numbers and texts. */
export interface SerialWriter extends FormWriter {
  number(value: number): void;
  id(value: string): void;
  owner(key: string): void; // of a case
}

/** Returns numbers and texts in the order in which they were written. */
export interface SerialReader extends FormReader {
  number(): number;
  id(): string;
  owner(): string;
}

/** Bits that say which parts of its origin an event has; stored below its kind. */
const HAS = { source: 1, asOf: 2 } as const;
const KIND = 4; // factor of the kind in the first number

/**
 * Writes an event. The first number holds its kind and is never negative, so a caller may mark other entries by one.
 */
export function writeSerial(event: HistoryEvent, out: SerialWriter): void {
  const { source, as_of: asOf } = event;
  const has = (source === undefined ? 0 : HAS.source) | (asOf === undefined ? 0 : HAS.asOf);
  out.number(typeNumberOf(event) * KIND + has);
  out.number(event.at);
  out.id(event.id);
  if (event.agent !== undefined) out.number(event.agent);
  if (!isOfAgent(event)) {
    if (event.group !== undefined) out.number(event.group);
    out.owner(event.case);
  }
  if (source !== undefined) out.text(source);
  if (asOf !== undefined) writeAsOf(asOf, out);
  writeForm(event, out);
}

/** Reads an event that `writeSerial` wrote; the caller has read `first`, its first number, already. */
export function readSerial(first: number, source: SerialReader): HistoryEvent {
  const kind = Math.floor(first / KIND);
  const at = source.number();
  const id = source.id();
  const agent = kind & FLAGS.agent ? source.number() : undefined;
  const group = kind & FLAGS.group ? source.number() : undefined;
  const owner = isAgentType(typeOf(kind)) ? '' : source.owner();
  const name = first & HAS.source ? String(source.text()) : undefined;
  const asOf = first & HAS.asOf ? readAsOf(source) : undefined;
  const event = readForm(kind, { id, at, owner, agent, group }, source);
  return name === undefined && asOf === undefined ? event : withOrigin(event, name, asOf);
}

/** Adds source and version to an event that has none, in place: a copy takes 1 µs more. */
export function withOrigin(event: HistoryEvent, source: string | undefined, asOf: AsOf | undefined): HistoryEvent {
  const origin: { source?: string; as_of?: AsOf } = event;
  if (source !== undefined) origin.source = source;
  if (asOf !== undefined) origin.as_of = asOf;
  return event;
}

/** Writes each part plus 1; 0 stands for null. */
function writeAsOf(asOf: AsOf, out: SerialWriter): void {
  out.number(asOf.length);
  for (const part of asOf) out.number(part === null ? 0 : part + 1);
}

function readAsOf(source: SerialReader): AsOf {
  return Array.from({ length: source.number() }, () => {
    const part = source.number();
    return part === 0 ? null : part - 1;
  });
}
