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

/** Where events go that are written as numbers and texts one after the other. */
export interface SerialWriter extends FormWriter {
  number(value: number): void;
  id(value: string): void;
  owner(key: string): void; // of a case
}

/** Where they come from again. */
export interface SerialReader extends FormReader {
  number(): number;
  id(): string;
  owner(): string;
}

/** What of its origin an event has, below its kind. */
const HAS = { source: 1, asOf: 2 } as const;
const KIND = 4; // times the kind

/** Writes an event; its kind comes first, never below 0. */
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

/** Reads an event of what `writeSerial` wrote first, which has been read. */
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

/** The event with where it comes from, which it does not have yet: added in place, for a copy takes 1 µs more. */
export function withOrigin(event: HistoryEvent, source: string | undefined, asOf: AsOf | undefined): HistoryEvent {
  const origin: { source?: string; as_of?: AsOf } = event;
  if (source !== undefined) origin.source = source;
  if (asOf !== undefined) origin.as_of = asOf;
  return event;
}

/** Each part one higher, so that 0 is one that is not known. */
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
