import type { FactKind } from '../history/cases/case-row.ts';
import { ATTRIBUTE_COLUMNS } from '../insights/definitions/columns.ts';
import type { CountedMeasure } from '../insights/definitions/measure.ts';
import { definitionOf, MEASURES, type Measure } from '../insights/definitions/measures.ts';
import { VERDICT_KINDS } from '../insights/definitions/verdicts.ts';
import { keysOf } from '../typed-object.ts';
import type { TableColumn } from './columns.ts';

/** The kinds of facts that rows of `facts` have, beside those below. Waits and presence are in other columns. */
export const EXPORTED_KINDS = [
  'created',
  'inbound',
  'outbound',
  'resolve',
  'reopen',
  'view',
  'handle',
  'macro',
  'label',
  'delete',
  'rating',
] as const satisfies readonly FactKind[];

export type ExportedKind = (typeof EXPORTED_KINDS)[number];

/**
 * All kinds of rows of `facts`, in the order in which a case has them, with states that last; and those of `verdicts`:
 * promises at the fact that kept them, or at the first second too late, which may lie ahead.
 */
export const ROW_KINDS = [...EXPORTED_KINDS, 'open', 'online', ...VERDICT_KINDS] as const;

/** `responseSeconds` → `response_seconds`, the column of a measure. */
export const columnOfMeasure = (measure: Measure): string =>
  measure.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Whether the definition of a measure reads a column that has the measure's name; others follow from the row. */
function needsColumn(measure: Measure, { sql }: CountedMeasure): boolean {
  const read = new Set<string>();
  const column = (name: string): string => {
    read.add(name);
    return name;
  };
  if (sql !== 1) sql({ column, elapsed: column, length: '', positive: '', macro: undefined });
  return read.has(columnOfMeasure(measure));
}

/** The measures with a column of their own, each with the kind of facts that have a value there. */
export const MEASURE_COLUMNS: readonly { readonly measure: Measure; readonly kind: ExportedKind }[] = keysOf(
  MEASURES,
).flatMap((measure) => {
  const definition = definitionOf(measure);
  if ('own' in definition || !needsColumn(measure, definition) || !('kinds' in definition.facts)) return [];
  const { kinds } = definition.facts;
  return EXPORTED_KINDS.flatMap((kind) => (kinds.includes(kind) ? [{ measure, kind }] : []));
});

/** The same measures, each once. */
export const MEASURED: readonly Measure[] = [...new Set(MEASURE_COLUMNS.map(({ measure }) => measure))];

const SITE: TableColumn = { name: 'site', type: 'text', meaning: 'The name of the site.' };
const CASE: TableColumn = { name: 'case_id', type: 'text', meaning: 'The key of the case.' };

const { status: _status, ...ids } = ATTRIBUTE_COLUMNS;

/** The columns with ids of a case, by attribute. */
export const ID_ATTRIBUTES = ids;

/** A case as it is now, in each of its facts and in `cases`; by `born` and `segment` the table `replaced` names rows. */
export const CASE_NOW: readonly TableColumn[] = [
  { name: 'created_at', type: 'instant', nullable: true, meaning: 'When the case was created; none if nothing says.' },
  { name: ATTRIBUTE_COLUMNS.status, type: 'text', nullable: true, meaning: 'The status of the case now.' },
  ...Object.values(ID_ATTRIBUTES).map(
    (name): TableColumn => ({ name, type: 'id', nullable: true, meaning: 'As the case is now.' }),
  ),
  { name: 'labels', type: 'ids', meaning: 'The labels now.' },
  { name: 'macros', type: 'resolves', meaning: 'The macros ever applied, each with the `n` of the next resolve.' },
  { name: 'custom_fields', type: 'texts', meaning: 'The values of custom fields now, by the id of the field.' },
  {
    ...{ name: 'born', type: 'id', nullable: true },
    meaning: 'The version of the history that wrote the case; 0: replaced by whatever names the case.',
  },
  {
    name: 'segment',
    type: 'id',
    nullable: true,
    meaning: 'The number of the part of the history that the row is from.',
  },
];

const FACTS: readonly TableColumn[] = [
  SITE,
  { ...CASE, nullable: true, meaning: 'The key of the case; none for time online.' },
  { name: 'kind', type: 'text', meaning: 'What happened.' },
  { name: 'n', type: 'id', meaning: 'The place among the facts of the kind of the case, from 0.' },
  { name: 'at', type: 'instant', meaning: 'When it happened; the start of an interval.' },
  { name: 'until', type: 'instant', nullable: true, meaning: 'The end of an interval; none while it lasts.' },
  { name: 'action_agent', type: 'id', nullable: true, meaning: 'The agent who acted.' },
  { name: 'action_group', type: 'id', nullable: true, meaning: 'The group in which the agent acted.' },
  { name: 'value', type: 'id', nullable: true, meaning: 'The label, macro or score; the seconds of an interval.' },
  ...MEASURED.map(
    (measure): TableColumn => ({
      name: columnOfMeasure(measure),
      type: 'id',
      nullable: true,
      meaning: 'What the fact adds to this measure; none if it does not count.',
    }),
  ),
  ...CASE_NOW,
];

/** What a row of `verdicts` has: that of its case, and who kept the promise. */
const VERDICTS: readonly TableColumn[] = [
  SITE,
  CASE,
  {
    name: 'kind',
    type: 'text',
    meaning: 'kept_… at the fact that kept a promise, late_… at the first second too late.',
  },
  { name: 'n', type: 'id', meaning: 'The place among the verdicts of the kind of the case, from 0.' },
  { name: 'at', type: 'instant', meaning: 'When it was kept or broken: in the future, if nobody keeps it until then.' },
  { name: 'action_agent', type: 'id', nullable: true, meaning: 'The agent who kept it.' },
  { name: 'action_group', type: 'id', nullable: true, meaning: 'The group in which the agent acted.' },
  ...CASE_NOW,
];

/** What `cases` says of a case's facts: the sum, the first or the last of a measure, or of the instants of a kind. */
export const CASE_FIGURES = {
  first_response_at: { measure: 'responseSeconds', take: 'first', of: 'at' },
  first_response_seconds: { measure: 'responseSeconds', take: 'first' },
  first_resolved_at: { kind: 'resolve', take: 'first' },
  last_resolved_at: { kind: 'resolve', take: 'last' },
  resolution_seconds: { measure: 'resolutionSeconds', take: 'last' },
  replies_to_resolve: { measure: 'repliesToResolve', take: 'last' },
  inbound: { kind: 'inbound', take: 'count' },
  outbound: { kind: 'outbound', take: 'count' },
  resolves: { kind: 'resolve', take: 'count' },
  reopens: { kind: 'reopen', take: 'count' },
  waits_answered: { measure: 'waitSeconds', take: 'count' },
  wait_seconds: { measure: 'waitSeconds', take: 'sum' },
  handled_seconds: { kind: 'handle', take: 'seconds' },
} as const satisfies Readonly<Record<string, CaseFigure>>;

export type CaseFigure =
  | { readonly kind: (typeof ROW_KINDS)[number]; readonly take: 'first' | 'last' | 'count' | 'seconds' }
  | { readonly measure: Measure; readonly take: 'first' | 'last' | 'sum' | 'count'; readonly of?: 'at' };

/** Whether a figure is an instant, which is none if the case has no such fact. */
export const isInstant = (figure: CaseFigure): boolean =>
  'measure' in figure ? figure.of === 'at' : figure.take === 'first' || figure.take === 'last';

const CASES: readonly TableColumn[] = [
  SITE,
  CASE,
  { name: 'starts_at', type: 'instant', meaning: 'The first second of the case; the month of its file.' },
  ...CASE_NOW,
  ...Object.entries(CASE_FIGURES).map(
    ([name, figure]): TableColumn =>
      isInstant(figure)
        ? { name, type: 'instant', nullable: true, meaning: 'None if the case has no such fact.' }
        : { name, type: 'id', nullable: true, meaning: 'A sum or count over the facts of the case.' },
  ),
];

const REPLACED: readonly TableColumn[] = [
  SITE,
  { ...CASE, nullable: true, meaning: 'The key of a case: its rows with a smaller `born` do not count.' },
  { name: 'born', type: 'id', nullable: true, meaning: 'Rows of the case with a smaller one do not count.' },
  { name: 'segment', type: 'id', nullable: true, meaning: 'A segment: all rows of it do not count.' },
];

const EVENTS: readonly TableColumn[] = [
  SITE,
  { ...CASE, nullable: true, meaning: 'The key of the case; none for sessions of agents.' },
  { name: 'id', type: 'text', meaning: 'The id of the event, unique within its case and source.' },
  { name: 'type', type: 'text', meaning: 'The type of the record.' },
  { name: 'at', type: 'instant', meaning: 'When it happened.' },
  { name: 'agent', type: 'id', nullable: true, meaning: 'The agent who acted.' },
  { name: 'group_id', type: 'id', nullable: true, meaning: 'The group in which the agent acted.' },
  { name: 'automated', type: 'flag', meaning: 'Whether no person acted.' },
  { name: 'source', type: 'text', nullable: true, meaning: 'The source that the event is from.' },
  { name: 'detail', type: 'text', nullable: true, meaning: 'The other fields of the record, as JSON.' },
];

const HOURS: readonly TableColumn[] = [
  SITE,
  { name: 'calendar', type: 'id', meaning: 'The id of the calendar.' },
  { name: 'day', type: 'id', meaning: 'The day of UTC, counted from 1970-01-01.' },
  { name: 'since', type: 'id', meaning: 'The first second of a part of that day, since 1970.' },
  { name: 'until', type: 'id', meaning: 'The second after its last.' },
  { name: 'works', type: 'id', meaning: '1 if the whole part is working time, 0 if none of it is.' },
  { name: 'before', type: 'id', meaning: 'The working seconds from the first row of the calendar to `since`.' },
];

const MEMBERS: readonly TableColumn[] = [
  SITE,
  { name: 'kind', type: 'text', meaning: 'agent, group, channel, label, macro, company or custom_field.' },
  { name: 'id', type: 'id', meaning: 'As other tables name it.' },
  { name: 'name', type: 'text', meaning: 'For people.' },
  { name: 'deleted', type: 'flag', meaning: 'Whether it was deleted.' },
  { name: 'groups', type: 'ids', meaning: 'The groups of an agent.' },
  { name: 'listed', type: 'flag', meaning: 'Whether a custom field has a list of values.' },
];

const FIELD_VALUES: readonly TableColumn[] = [
  SITE,
  { name: 'field', type: 'id', meaning: 'The id of a custom field with a list of values.' },
  { name: 'value', type: 'text', meaning: 'A value that cases have there now; a row for each part of the history.' },
];

const SITES: readonly TableColumn[] = [
  SITE,
  { name: 'title', type: 'text', meaning: 'The name for people.' },
  { name: 'time_zone', type: 'text', meaning: 'The zone of its windows.' },
  { name: 'week_start', type: 'id', meaning: 'The first day of a week, 0 for Monday to 6.' },
  { name: 'positive_score', type: 'id', meaning: 'The lowest score of a satisfied customer.' },
  { name: 'exported_at', type: 'instant', meaning: 'As of when the facts count promises and the backlog.' },
];

/** The tables of the warehouse. Those by month have a file for each site and month, the others one for each site. */
export const TABLES = {
  replaced: {
    columns: REPLACED,
    byMonth: false,
    meaning: 'Which rows of facts and cases do not count any more: newer ones stand in their place.',
  },
  facts: { columns: FACTS, byMonth: true, meaning: 'A row for each thing that reports count.' },
  verdicts: {
    columns: VERDICTS,
    byMonth: true,
    meaning: 'A row for each promise that was kept or broken, by the policies and calendars at the export.',
  },
  cases: {
    columns: CASES,
    byMonth: true,
    meaning: 'A row for each case as it is now, by the month of its first second.',
  },
  events: { columns: EVENTS, byMonth: true, meaning: 'A row for each stored event.' },
  hours: { columns: HOURS, byMonth: false, meaning: 'The working time of each calendar, day by day.' },
  members: { columns: MEMBERS, byMonth: false, meaning: 'The names of the members that other tables have as ids.' },
  field_values: {
    columns: FIELD_VALUES,
    byMonth: false,
    meaning: 'The values that cases have in custom fields with a list.',
  },
  sites: { columns: SITES, byMonth: false, meaning: 'The settings of each site that reports depend on.' },
} as const;

export type WarehouseTable = keyof typeof TABLES;

export const TABLE_NAMES = keysOf(TABLES);
