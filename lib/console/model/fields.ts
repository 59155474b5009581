import type { Definitions, FieldDefinition, NoMeaning } from './definitions.ts';
import type { TickKind } from './scale.ts';
import { text, words } from './text/text.ts';

/** The statistics that the picker offers; the API takes every percentile from 1 to 99. */
const OFFERED = ['p50', 'p75', 'p90', 'p95', 'mean', 'min', 'max', 'count'];

/** The definition of a field or of a statistic; undefined for a name that the service does not have. */
export function findField(definitions: Definitions, name: string): FieldDefinition | undefined {
  const { fields, durations, statistics } = definitions;
  const [base = name, statistic] = name.split(':');
  if (statistic === undefined) return fields.find((field) => field.name === name);
  const duration = durations.find((each) => each.name === base);
  if (duration === undefined) return undefined;
  const shown = statistics.find((each) => each.name === statistic) ?? statistics.find((each) => /^p\d/.test(each.name));
  if (shown === undefined) return undefined;
  const { unit, kind, better } = shown;
  const label = `${duration.label}, ${statisticLabel(definitions, statistic)}`;
  return {
    name,
    label,
    title: label,
    group: duration.label,
    unit,
    kind,
    better,
    level: false,
    meaning: duration.meaning,
    may_change: false,
    null_by: [],
    not_told: {},
    no_data: duration.no_data,
    also_called: duration.also_called,
  };
}

function statisticLabel({ statistics }: Definitions, statistic: string): string {
  if (statistic === 'p50') return 'median';
  const found = statistics.find(({ name }) => name === statistic);
  return found?.label ?? `${statistic.slice(1)}th percentile`;
}

/** A field's label; its name in words while the definitions are not there, or for an unknown name. */
export const fieldLabel = (definitions: Definitions | undefined, name: string): string =>
  (definitions && findField(definitions, name)?.label) ?? words(name);

/** A field's unit; empty, which means a plain number, for an unknown name. */
export const unitOf = (definitions: Definitions | undefined, name: string): string =>
  (definitions && findField(definitions, name)?.unit) ?? '';

const COUNTS = ['cases', 'events', 'messages'];

/** The unit of what one entry adds to a field: seconds for durations; those of rates are plain numbers, 0 or 1. */
export const entryUnit = (definitions: Definitions | undefined, name: string): string =>
  unitOf(definitions, name) === 'seconds' ? 'seconds' : '';

/** Whether a field's values are totals, 0 where nothing happened; not of one that no source tells. */
export const countsSomething = (definitions: Definitions | undefined, name: string): boolean =>
  definitions !== undefined && findField(definitions, name)?.kind === 'total' && !isUntold(definitions, name);

/** The name of the row that is of all members: the parts of a number that is no total are no sum. */
export const totalName = (definitions: Definitions | undefined, names: readonly string[]): string =>
  names.every((name) => definitions === undefined || findField(definitions, name)?.kind === 'total')
    ? text.report.total
    : text.report.allCases;

/** Why a field means nothing by one of some dimensions, and which one that is; undefined where it means something. */
export function untoldBy(
  definitions: Definitions | undefined,
  name: string,
  dimensions: readonly string[],
): (NoMeaning & { readonly dimension: string }) | undefined {
  const notTold = definitions && findField(definitions, name)?.not_told;
  const dimension = dimensions.find((each) => notTold?.[each] !== undefined);
  const why = dimension === undefined ? undefined : notTold?.[dimension];
  return why && dimension !== undefined ? { ...why, dimension } : undefined;
}

/** Whether no source of the site tells a field. */
export const isUntold = (definitions: Definitions | undefined, name: string): boolean =>
  definitions !== undefined && findField(definitions, name)?.no_data?.everywhere === true;

/** What the history does not tell of some fields, in sentences. */
export const noDataOn = (definitions: Definitions | undefined, names: readonly string[]): string[] => [
  ...new Set(names.flatMap((name) => (definitions && findField(definitions, name)?.no_data?.sentence) ?? [])),
];

/** Whether the values of a field can be stacked. */
export const canStack = (definitions: Definitions | undefined, name: string): boolean =>
  countsSomething(definitions, name) && definitions !== undefined && findField(definitions, name)?.level === false;

/** The kind of ticks on an axis of a unit. */
export function tickKind(unit: string): TickKind {
  if (unit === 'seconds') return 'seconds';
  return COUNTS.includes(unit) ? 'count' : 'number';
}

export interface FieldOption {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly group: string;
  readonly also: string; // other words that find it
}

/** All fields and statistics that a report can show, by group. */
export function fieldOptions(definitions: Definitions): FieldOption[] {
  const { fields, durations } = definitions;
  const order = [...new Set(fields.map(({ group }) => group))];
  const plain = fields
    .map(({ name, label, group, meaning, also_called }) => ({
      id: name,
      name: label,
      hint: meaning,
      group,
      also: also_called.join(' '),
    }))
    .sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
  const statistics = durations.flatMap(({ name, label, also_called }) =>
    OFFERED.map((statistic) => {
      const id = `${name}:${statistic}`;
      const title = fieldLabel(definitions, id);
      return { id, name: title, hint: title, group: label, also: also_called.join(' ') };
    }),
  );
  return [...plain, ...statistics];
}
