import type { Definitions, FieldDefinition } from './definitions.ts';
import type { TickKind } from './scale.ts';
import { words } from './text.ts';

/** The statistics that the picker offers; the API takes every percentile from 1 to 99. */
const OFFERED = ['p50', 'p75', 'p90', 'p95', 'mean', 'min', 'max', 'count'];

/** The definition of a field or of a statistic; undefined for a name that the service does not have. */
export function findField(definitions: Definitions, name: string): FieldDefinition | undefined {
  const { fields, durations } = definitions;
  const [base = name, statistic] = name.split(':');
  if (statistic === undefined) return fields.find((field) => field.name === name);
  const duration = durations.find((each) => each.name === base);
  if (duration === undefined) return undefined;
  const unit = statistic === 'count' ? 'cases' : 'seconds';
  const plain = fields.find((field) => field.name === base);
  return {
    name,
    label: `${duration.label}, ${statisticLabel(definitions, statistic)}`,
    group: duration.label,
    unit,
    meaning: duration.meaning,
    may_change: false,
    null_by: plain?.null_by ?? [],
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

/** The unit of what one entry adds to a field: seconds for durations; those of rates are plain numbers, 0 or 1. */
export const entryUnit = (definitions: Definitions | undefined, name: string): string =>
  unitOf(definitions, name) === 'seconds' ? 'seconds' : '';

const COUNTS = ['cases', 'events', 'messages'];

/** Whether a field's values are counts, 0 where nothing happened. All but `open_cases`, a level, can be stacked. */
export const countsSomething = (name: string, unit: string): boolean =>
  !name.includes(':') && (COUNTS.includes(unit) || name === 'agent_time_online');

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
      ...{ id: name, name: label, hint: meaning, group },
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
