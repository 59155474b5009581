import type { HistoryEvent } from '../cases/event.ts';
import { FLAGS, type FormReader, type FormWriter, kindOf, readForm, typeOf, writeForm } from './ledger-forms.ts';

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

/** Writes an event; its kind comes first, never below 0. */
export function writeSerial(event: HistoryEvent, out: SerialWriter): void {
  out.number(kindOf(event));
  out.number(event.at);
  out.id(event.id);
  if (event.agent !== undefined) out.number(event.agent);
  if (event.type !== 'agent.session') {
    if (event.group !== undefined) out.number(event.group);
    out.owner(event.case);
  }
  writeForm(event, out);
}

/** Reads an event of a kind, which has been read. */
export function readSerial(kind: number, source: SerialReader): HistoryEvent {
  const at = source.number();
  const id = source.id();
  const agent = kind & FLAGS.agent ? source.number() : undefined;
  const group = kind & FLAGS.group ? source.number() : undefined;
  const owner = typeOf(kind) === 'agent.session' ? '' : source.owner();
  return readForm(kind, { id, at, owner, agent, group }, source);
}
