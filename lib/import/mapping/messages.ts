import type { Instant } from '../../history/cases/event.ts';
import { Rejection } from '../../json-readers.ts';
import type { Telling } from '../../vocabulary.ts';
import {
  type Actor,
  actorReader,
  attributesReader,
  type CaseCreation,
  createdEvent,
  creationReader,
  type FieldDefinition,
  NO_ATTRIBUTES,
  type RowAttributes,
} from './attributes.ts';
import { attempt, type MappingKind } from './case-rows.ts';
import { booleanReader, type Columns, type CsvCells, textReader, timeCellReader, wordReader } from './columns.ts';
import type { MessagesMapping } from './mapping.ts';
import { directionsTell, type Has } from './told-values.ts';

/** A row of a message. Rows with the same key are the same message: the first of them counts. */
interface MessageRow {
  readonly id: string | null; // id of the event; null: made from the row
  readonly key: string;
  readonly direction: 'inbound' | 'outbound' | null | undefined; // null: a note; undefined: refused
  readonly actor: Actor;
  readonly callEnd: Instant | null; // null: no call
  readonly origin: CaseCreation;
  readonly attributes: RowAttributes;
}

/** What messages tell: of a case its creation where the first one counts as it, and no status. */
export const messagesTell = ({ created, direction, note, call_end }: MessagesMapping, has: Has): readonly Telling[] => [
  ...(created === undefined ? [] : (['creations'] as const)),
  ...(has(direction) ? directionsTell(direction) : []),
  ...(has(note) ? (['notes'] as const) : []),
  ...(has(call_end) ? (['handling'] as const) : []),
  ...(has(created?.labels) ? (['labels'] as const) : []),
];

/** The kind `messages`: each row, or each group of rows with the same key, is a message or note (docs/import/mappings.md). */
export function messages(
  columns: Columns,
  mapping: MessagesMapping,
  definitions: readonly FieldDefinition[],
): MappingKind<MessageRow> {
  const keys = mapping.key.map((column) => textReader(columns, column));
  const idOf = idReader(columns, mapping.id);
  const isNote = booleanReader(columns, mapping.note, 'note');
  const direction = wordReader(columns, mapping.direction, 'direction', ['inbound', 'outbound']);
  const callEnd = mapping.call_end === undefined ? () => null : timeCellReader(columns, mapping.call_end);
  const actor = actorReader(columns, mapping.actor);
  const created = mapping.created ?? { custom_fields: [] };
  const origin = creationReader(columns, created);
  const attributes = attributesReader(columns, created, definitions);
  /** Reads direction and author of a message. */
  function messageOf(cells: CsvCells, key: string): Pick<MessageRow, 'direction' | 'actor'> {
    if (key.trim() === '') throw new Rejection(`the key is empty (${mapping.key.join(', ')})`);
    const given = isNote(cells) ? 'note' : direction(cells);
    if (given === null) throw new Rejection('the direction is empty');
    const author = actor(cells);
    // An inbound message has no actor: a customer is no agent.
    return { direction: given === 'note' ? null : given, actor: given === 'inbound' ? {} : author };
  }

  return {
    read: (cells, refuse) => {
      const key = keys.map((read) => read(cells) ?? '').join(' ');
      const written = attempt(() => messageOf(cells, key), cells, refuse, { direction: undefined, actor: {} });
      return {
        id: idOf(cells),
        key,
        ...written,
        callEnd: attempt(callEnd, cells, refuse, null),
        origin: attempt(origin, cells, refuse, { at: null, actor: {} }),
        attributes: attempt(attributes, cells, refuse, NO_ATTRIBUTES),
      };
    },
    fold: (caseKey, rows) => {
      const met = new Set<string>();
      for (const [index, { at, id, value, records }] of rows.entries()) {
        if (index === 0 && mapping.created !== undefined) {
          const { origin, attributes } = value;
          const id = `${mapping.source}created`;
          records.push(createdEvent({ caseKey, id, at }, origin, attributes, definitions));
        }
        if (value.direction === undefined || met.has(value.key)) continue;
        met.add(value.key);
        const base = { id: value.id ?? `${id}.${value.key}`, at, case: caseKey, ...value.actor };
        records.push(
          value.direction === null
            ? { type: 'note', ...base }
            : { type: 'interaction', ...base, direction: value.direction },
        );
        if (value.callEnd !== null && value.callEnd > at) {
          records.push({ type: 'case.handled', ...base, id: `${base.id}:h`, from: at, to: value.callEnd });
        }
      }
    },
  };
}

function idReader(columns: Columns, spec: MessagesMapping['id']): (cells: CsvCells) => string | null {
  if (spec === undefined) return () => null;
  const { column, prefix, digits } = spec;
  const read = textReader(columns, column);
  return (cells) => {
    const text = read(cells);
    return text === null ? null : `${prefix}${text.padStart(digits, '0')}`;
  };
}
