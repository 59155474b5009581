import { activities } from './activities.ts';
import { type FieldDefinition, fieldDefinition } from './attributes.ts';
import { caseFolder, caseReader } from './case-rows.ts';
import type { Cells, Columns } from './columns.ts';
import type { HeldForm, HeldRow } from './held-row.ts';
import type { Mapping } from './mapping.ts';
import { newMembers } from './members.ts';
import { messages } from './messages.ts';
import type { Row } from './row.ts';
import { snapshots } from './snapshots.ts';

/** What a mapping and a file's columns make together. */
export interface Reading {
  readonly width: number; // columns of the file
  readonly places: readonly number[]; // of those that the mapping names, rising: a row's cells are these alone
  readonly caseOf: (cells: Cells) => string; // throws `Rejection`
  readonly fold: (held: readonly HeldRow[]) => Row[]; // of a whole case
  readonly definitions: readonly FieldDefinition[];
}

/** Compiles a mapping twice: to see which columns it names, then for rows that have these alone. Throws `ImportFault`. */
export function newReading(mapping: Mapping, header: readonly string[], form: HeldForm): Reading {
  const names = header.map((name) => name.trim());
  const used = compile(mapping, names, form).columns.used;
  const places = [...used].sort((a, b) => a - b);
  const picked = places.map((place) => names[place]!);
  return { width: names.length, places, ...compile(mapping, picked, form) };
}

function compile(mapping: Mapping, names: readonly string[], { cellsOf }: HeldForm) {
  const nulls = new Set(['', ...mapping.csv.null]);
  const columns: Columns = { names, used: new Set(), nulls, time: mapping.time, members: newMembers() };
  const specs = mapping.kind === 'snapshots' ? mapping.custom_fields : (mapping.created?.custom_fields ?? []);
  const definitions = specs.map((spec) => fieldDefinition(columns, spec));
  return { columns, caseOf: caseReader(columns, mapping), fold: folder(), definitions };

  function folder(): Reading['fold'] {
    switch (mapping.kind) {
      case 'snapshots':
        return caseFolder(columns, mapping, snapshots(columns, mapping, definitions), cellsOf);
      case 'messages':
        return caseFolder(columns, mapping, messages(columns, mapping, definitions), cellsOf);
      case 'activities':
        return caseFolder(columns, mapping, activities(columns, mapping, definitions), cellsOf);
    }
  }
}
