import { certain } from '../../certain.ts';
import type { Instant } from '../../history/cases/event.ts';
import { columnNames, unusedDuplicateColumns } from '../formats/csv.ts';
import { type Findings, newFindings } from '../formats/findings.ts';
import type { Row } from '../formats/row.ts';
import { caseDigests, type DigestOf } from '../known/case-digest.ts';
import type { HistoryRecord } from '../records/records.ts';
import { activities } from './activities.ts';
import { type FieldDefinition, fieldDefinition } from './attributes.ts';
import { attempt, type CaseFolderOptions, caseFolder, caseReader, newCaseNotes } from './case-rows.ts';
import { type Columns, type CsvCells, conditionReader, type Read, timeCellReader } from './columns.ts';
import type { HeldRow, HeldRowCodec } from './held-row.ts';
import { type Lookups, lookupsIn } from './lookups.ts';
import type { CaseMapping, Mapping } from './mapping.ts';
import { noteMapping } from './mapping-notes.ts';
import { newMembers } from './member-ids.ts';
import { memberRowReader } from './member-rows.ts';
import { messages } from './messages.ts';
import { snapshots } from './snapshots.ts';
import { tickets } from './tickets.ts';

/** A mapping compiled for the columns of a file. */
export interface CompiledMapping {
  readonly width: number; // number of columns of the file
  readonly places: readonly number[]; // rising indexes of the columns that the mapping uses; only these cells are read
  readonly takes: (cells: CsvCells) => boolean; // whether a row counts
  readonly rows: CaseReading | MemberReading;
  readonly definitions: readonly FieldDefinition[];
  /** Adds warnings to the findings; call it once all rows have been read. `isPart`: some cases were not read. */
  readonly note: (isPart: boolean) => void;
  /**
   * Computes digests of cases; undefined if the mapping looks values up in other files, which a digest does not cover.
   */
  readonly digestOf: DigestOf | undefined;
  /** Collects from the rows of a known case the values of custom fields that collect them. */
  readonly meet: (held: readonly HeldRow[]) => void;
  /** Returns the later of a time and the last change of the case according to a row, if the row says it. */
  readonly laterChange: (before: Instant | undefined, cells: CsvCells) => Instant | undefined;
  /** Returns when a case last changed according to its rows; undefined if they do not say it. */
  readonly lastOf: (held: readonly HeldRow[]) => Instant | undefined;
}

/** Reads rows that must be understood together with the other rows of their case. */
interface CaseReading {
  readonly caseOf: (cells: CsvCells) => string; // throws `Rejection`
  readonly fold: (held: readonly HeldRow[]) => Row[]; // takes all rows of a case
}

/** Reads rows that are records by themselves. */
interface MemberReading {
  readonly recordsOf: (cells: CsvCells) => HistoryRecord[]; // throws `Rejection`
}

/** The parameters to compile a mapping. */
export interface CompileContext {
  readonly form: HeldRowCodec;
  readonly lookups: Lookups;
  readonly findings: Findings;
  readonly isPart?: boolean; // other files have the rest of the cases
  readonly salt?: string; // other settings that decide which events rows become
  readonly isLenient?: boolean; // a column that the file lacks counts as empty
  readonly source?: string | undefined; // source of the events; undefined: that of the import
  readonly told?: Set<string>; // members of which other files of the import have made a record, see `newMembers`
}

/**
 * Compiles a mapping twice: first to find the columns that it uses, then for rows with only these. Throws
 * `ImportFault`.
 */
export function compileMapping(mapping: Mapping, header: readonly string[], context: CompileContext): CompiledMapping {
  const names = columnNames(header);
  const named = compile(mapping, names, { ...context, findings: newFindings(), told: new Set() }).columns.used;
  const whole = withOthers(mapping, names, named);
  const used = whole === mapping ? named : compile(whole, names, context).columns.used;
  const places = [...used].sort((a, b) => a - b);
  for (const { taken, left } of unusedDuplicateColumns(header, names, used))
    context.findings.warn(`The file has several columns "${taken}": the mapping does not use "${left}".`);
  const picked = places.map((place) => certain(names[place]));
  const { columns, notes, ...compiled } = compile(whole, picked, context);
  const note = (isPart: boolean): void =>
    noteMapping(whole, { columns, notes, isPart: isPart || context.isPart === true });
  const digestOf = lookupsIn(whole).length > 0 ? undefined : caseDigests([whole, picked, context.salt ?? '']);
  const collecting = compiled.definitions.filter(({ collects }) => collects);
  const meet = (held: readonly HeldRow[]): void => {
    for (const row of collecting.length === 0 ? [] : held)
      for (const { read } of collecting) read(context.form.cellsOf(row));
  };
  const lastOf = (held: readonly HeldRow[]): Instant | undefined =>
    held.reduce<Instant | undefined>((at, row) => compiled.laterChange(at, context.form.cellsOf(row)), undefined);
  return { width: names.length, places, note, digestOf, meet, lastOf, ...compiled };
}

/** Adds to a mapping a custom field for each column that it does not name, if it says `otherwise`. */
function withOthers(mapping: Mapping, names: readonly string[], named: ReadonlySet<number>): Mapping {
  if ((mapping.kind !== 'tickets' && mapping.kind !== 'snapshots') || mapping.otherwise === undefined) return mapping;
  const others = names.filter((name, index) => name !== '' && !named.has(index) && !mapping.ignore.includes(name));
  const fields = others.map((name) => ({
    name,
    column: name,
    join: ' ',
    object: 'case' as const,
    values: true as const,
  }));
  return { ...mapping, custom_fields: [...mapping.custom_fields, ...fields] };
}

function compile(
  mapping: Mapping,
  names: readonly string[],
  { form, lookups, findings, isLenient = false, source, told }: CompileContext,
) {
  const nulls = new Set(['', ...mapping.csv.null]);
  const members = newMembers(told);
  const columns: Columns = {
    names,
    used: new Set(),
    nulls,
    time: mapping.time,
    members,
    lookups,
    findings,
    isLenient,
    unused: new Map(),
  };
  const notes = newCaseNotes();
  const holds = conditionReader(columns, mapping.when);
  const takes = (cells: CsvCells): boolean => {
    if (holds(cells)) return true;
    findings.ignore('row that does not meet "when"');
    return false;
  };
  if (mapping.kind === 'members') {
    return {
      columns,
      notes,
      takes,
      rows: { recordsOf: memberRowReader(columns, mapping) },
      definitions: [],
      laterChange: (before: Instant | undefined) => before,
    };
  }
  const definitions = customFields(mapping).map((spec) => fieldDefinition(columns, spec));
  const caseOf = caseReader(columns, mapping);
  const fold = folder(columns, mapping, definitions, { cellsOf: form.cellsOf, notes, source });
  const laterChange = changeReader(mapping.as_of && timeCellReader(columns, mapping.as_of));
  return { columns, notes, takes, rows: { caseOf, fold }, definitions, laterChange };
}

/** A row whose time is wrong is rejected when its case is read. */
function changeReader(read: Read<Instant | null> | undefined): CompiledMapping['laterChange'] {
  if (read === undefined) return (before) => before;
  return (before, cells) => {
    const at = attempt(read, cells, () => undefined, null);
    return at === null || (before !== undefined && before >= at) ? before : at;
  };
}

const customFields = (mapping: CaseMapping) =>
  mapping.kind === 'snapshots' || mapping.kind === 'tickets'
    ? mapping.custom_fields
    : (mapping.created?.custom_fields ?? []);

function folder(
  columns: Columns,
  mapping: CaseMapping,
  definitions: readonly FieldDefinition[],
  folding: CaseFolderOptions,
): CaseReading['fold'] {
  switch (mapping.kind) {
    case 'snapshots':
      return caseFolder(columns, mapping, snapshots(columns, mapping, definitions), folding);
    case 'messages':
      return caseFolder(columns, mapping, messages(columns, mapping, definitions), folding);
    case 'activities':
      return caseFolder(columns, mapping, activities(columns, mapping, definitions), folding);
    case 'tickets':
      return caseFolder(columns, mapping, tickets(columns, mapping, definitions), folding);
  }
}
