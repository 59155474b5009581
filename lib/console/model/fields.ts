import type { Definitions, FieldDefinition } from './definitions.ts';
import type { TickKind } from './scale.ts';
import { FIELD_GROUPS, fieldLabel, statisticLabel } from './text.ts';

/** The statistics that the picker offers; the API takes every percentile from 1 to 99. */
const OFFERED = ['p50', 'p75', 'p90', 'p95', 'mean', 'min', 'max', 'count'];

/** The definition of a field or of a statistic; undefined for a name that the service does not have. */
export function findField({ fields, durations }: Definitions, name: string): FieldDefinition | undefined {
  const [base = name, statistic] = name.split(':');
  if (statistic === undefined) return fields.find((field) => field.name === name);
  const duration = durations.find((each) => each.name === base);
  if (duration === undefined) return undefined;
  const unit = statistic === 'count' ? 'cases' : 'seconds';
  const plain = fields.find((field) => field.name === base);
  return { name, unit, meaning: duration.meaning, may_change: false, null_by: plain?.null_by ?? [] };
}

/** A field's unit; empty, which means a plain number, for an unknown name. */
export const unitOf = (definitions: Definitions | undefined, name: string): string =>
  (definitions && findField(definitions, name)?.unit) ?? '';

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
}

/** All fields and statistics that a report can show, by group. */
export function fieldOptions({ fields, durations }: Definitions): FieldOption[] {
  const plain = fields.map(({ name, meaning }) => {
    const group = FIELD_GROUPS.find(({ test }) => test.test(name))?.title ?? '';
    return { id: name, name: fieldLabel(name), hint: meaning, group };
  });
  const order = FIELD_GROUPS.map(({ title }) => title);
  const sorted = plain.sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
  const statistics = durations.flatMap(({ name }) =>
    OFFERED.map((statistic) => ({
      id: `${name}:${statistic}`,
      name: fieldLabel(`${name}:${statistic}`),
      hint: `${fieldLabel(name)}, ${statisticLabel(statistic)}`,
      group: fieldLabel(name),
    })),
  );
  return [...sorted, ...statistics];
}
