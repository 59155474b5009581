import { type ColumnRole, columnByRole } from './roles.ts';
import type { SampledColumn } from './sampled-columns.ts';

/** A decision in a suggested mapping, for the user. */
export interface SuggestionNote {
  readonly what: string; // a sentence
  readonly why: string; // the reason, without a full stop
  readonly isSure: boolean;
}

export const MAX_LISTED = 12; // most values in a sentence
export const MAX_TABLE_VALUES = 60; // most values in a table

/** A suggestion in the making. */
export interface SuggestionDraft {
  readonly columns: readonly SampledColumn[];
  readonly notes: SuggestionNote[];
  readonly rows: number;
}

export type MappingPart = Record<string, unknown>;

export const namesOfColumns = (columns: Readonly<Record<string, SampledColumn | undefined>>): MappingPart =>
  Object.fromEntries(Object.entries(columns).flatMap(([key, column]) => (column ? [[key, column.name]] : [])));

/** Makes a table of what each value of a column means. Unknown values mean `otherwise`, and a note lists them. */
export function valueTable<T>(
  column: SampledColumn,
  meaningOf: (text: string) => T | undefined,
  otherwise: T,
  { notes }: SuggestionDraft,
): Record<string, T> {
  const values = [...column.values].slice(0, MAX_TABLE_VALUES);
  const unknown = values.filter((value) => meaningOf(value) === undefined);
  const said = values.map((value) => `${value} → ${meaningOf(value) ?? otherwise}`);
  notes.push({
    what: `In "${column.name}", ${said.slice(0, MAX_LISTED).join(', ')}${said.length > MAX_LISTED ? ', …' : ''}.`,
    why:
      unknown.length === 0
        ? 'by their words'
        : `by their words, but ${unknown.slice(0, MAX_LISTED).join(', ')} say nothing`,
    isSure: unknown.length === 0,
  });
  return Object.fromEntries(values.map((value) => [value, meaningOf(value) ?? otherwise]));
}

/** Picks the column of a role and notes it. */
export function pickColumn(
  role: ColumnRole,
  { columns, notes }: SuggestionDraft,
  taken: readonly SampledColumn[] = [],
): SampledColumn | undefined {
  const column = columnByRole(role, columns, taken);
  if (column !== undefined) {
    notes.push({
      what: `"${column.name}" is the ${LABELS[role] ?? role}.`,
      why: 'by its name',
      isSure: role !== 'actor' && role !== 'company',
    });
  }
  return column;
}

/** Picks the column of a role among the columns without a role. */
export type TakeColumn = (role: ColumnRole) => SampledColumn | undefined;

export function columnTaker(draft: SuggestionDraft, first: readonly SampledColumn[]): TakeColumn {
  const taken = [...first];
  return (role) => {
    const column = pickColumn(role, draft, taken);
    if (column) taken.push(column);
    return column;
  };
}

const LABELS: Readonly<Partial<Record<ColumnRole, string>>> = {
  at: 'time of a row',
  created: 'time of the creation',
  updated: 'time of the last update',
  replied: 'time of the first reply',
  repliedAfter: 'time from the creation to the first reply',
  solved: 'time of the solve',
  solvedAfter: 'time from the creation to the solve',
  key: 'id of a message',
  private: 'mark of private notes',
  agent: 'agent to whom a case is assigned',
  group: 'group to which a case is assigned',
  actor: 'agent who acted',
};
