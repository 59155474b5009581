import type { CaseEvent } from '../../history/cases/event.ts';
import { Rejection } from '../records/fields.ts';
import {
  type Actor,
  type Attributes,
  actorReader,
  attributesReader,
  createdEvent,
  type FieldDefinition,
  type Origin,
  originReader,
} from './attributes.ts';
import type { Kind } from './case-rows.ts';
import { type Columns, textReader, truthReader, wordReader } from './columns.ts';
import type { MessagesMapping } from './mapping.ts';

/** A row of a message. Rows with the same key are one message: the first of them counts. */
interface MessageRow {
  readonly key: string;
  readonly direction: 'inbound' | 'outbound' | null; // null: a note
  readonly actor: Actor;
  readonly origin: Origin;
  readonly attributes: Attributes;
}

/** The kind whose rows, or groups of rows with one key, are messages and notes (events.md, CSV). */
export function messages(
  columns: Columns,
  mapping: MessagesMapping,
  definitions: readonly FieldDefinition[],
): Kind<MessageRow> {
  const keys = mapping.key.map((column) => textReader(columns, column));
  const isNote = truthReader(columns, mapping.note, 'note');
  const direction = wordReader(columns, mapping.direction, 'direction', ['inbound', 'outbound']);
  const actor = actorReader(columns, mapping.actor);
  const created = mapping.created ?? { custom_fields: [] };
  const origin = originReader(columns, created);
  const attributes = attributesReader(columns, created, definitions);
  return {
    read: (cells) => {
      const key = keys.map((read) => read(cells) ?? '').join(' ');
      if (key.trim() === '') throw new Rejection(`the key is empty (${mapping.key.join(', ')})`);
      const given = isNote(cells) ? 'note' : direction(cells);
      if (given === null) throw new Rejection('the direction is empty');
      const wrote = actor(cells);
      return {
        key,
        direction: given === 'note' ? null : given,
        actor: given === 'inbound' ? {} : wrote, // a customer is no agent
        origin: origin(cells),
        attributes: attributes(cells),
      };
    },
    fold: (caseKey, rows) => {
      const met = new Set<string>();
      for (const [place, { at, id, value, records }] of rows.entries()) {
        if (place === 0 && mapping.created !== undefined) {
          const event = createdEvent(
            caseKey,
            `${mapping.source}created`,
            at,
            value.origin,
            value.attributes,
            definitions,
          );
          records.push(event);
        }
        if (met.has(value.key)) continue;
        met.add(value.key);
        records.push(messageEvent(caseKey, at, `${id}.${value.key}`, value));
      }
    },
  };
}

function messageEvent(caseKey: string, at: number, id: string, { direction, actor }: MessageRow): CaseEvent {
  const base = { id, at, case: caseKey, ...actor };
  return direction === null ? { type: 'note', ...base } : { type: 'interaction', ...base, direction };
}
