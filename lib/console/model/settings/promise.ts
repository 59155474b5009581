import { conditions } from '../report/report-open.ts';
import { toCondition } from '../report/report-request.ts';
import type { Condition } from '../report/report-state.ts';

export const METRICS = ['first_response', 'reply', 'resolution'] as const;
export const CLOCKS = ['calendar', 'business'] as const;

/** What a policy promises for one metric, as the API has it. */
export interface Target {
  readonly metric: string;
  readonly priorities: readonly number[] | null; // null: all, also cases without a priority
  readonly seconds: number;
  readonly hours: string;
}

const UNITS = { minutes: 60, hours: 3_600, days: 86_400 } as const; // s

export type TimeUnit = keyof typeof UNITS;

/** The units for a time; a day of working time has no length that everybody knows, so hours are the largest there. */
export const unitsFor = (hours: string): readonly TimeUnit[] =>
  hours === 'business' ? ['minutes', 'hours'] : ['minutes', 'hours', 'days'];

/** A time as a person types it: 5,400 s is 90 minutes, 86,400 s a day. */
export interface TypedTime {
  readonly count: string;
  readonly unit: TimeUnit;
}

/** A time in the largest unit of which it is a whole number, else in minutes. */
export function typedTime({ seconds, hours }: Pick<Target, 'seconds' | 'hours'>): TypedTime {
  const unit = unitsFor(hours).findLast((each) => seconds > 0 && seconds % UNITS[each] === 0) ?? 'minutes';
  return { count: String(seconds / UNITS[unit]), unit };
}

/** A target as a person types it. */
export interface TypedTarget extends Omit<Target, 'seconds'> {
  readonly time: TypedTime;
}

/** A target in the form in which it is typed. */
export const typedTarget = ({ seconds, ...rest }: Target): TypedTarget => ({
  ...rest,
  time: typedTime({ seconds, hours: rest.hours }),
});

/** The seconds of such a time; NaN, which the service refuses, for what is no number. */
const secondsOf = ({ count, unit }: TypedTime): number =>
  count.trim() === '' ? Number.NaN : Math.round(Number(count) * UNITS[unit]);

/** A typed target as the API takes it. */
export const toTarget = ({ time, ...rest }: TypedTarget): Target => ({ ...rest, seconds: secondsOf(time) });

/** The places of the targets that never apply, because earlier ones of the same metric are for all their cases. */
export function overruled(targets: readonly Pick<Target, 'metric' | 'priorities'>[]): ReadonlySet<number> {
  const places = new Set<number>();
  for (const [place, { metric, priorities }] of targets.entries()) {
    const earlier = targets.slice(0, place).filter((other) => other.metric === metric);
    const isForAll = earlier.some((other) => other.priorities === null);
    const taken = new Set(earlier.flatMap((other) => other.priorities ?? []));
    if (isForAll || priorities?.every((each) => taken.has(each))) places.add(place);
  }
  return places;
}

/** Priorities with one of them added or removed; none is all. */
export function toggled(priorities: readonly number[] | null, one: number): readonly number[] | null {
  const left = (priorities ?? []).filter((each) => each !== one);
  const next = priorities?.includes(one) ? left : [...left, one].sort((a, b) => a - b);
  return next.length === 0 ? null : next;
}

/** Filters of the API as conditions, with the way back, which leaves a condition that was not touched as it was. */
export interface ShownFilters {
  readonly groups: readonly (readonly Condition[])[];
  readonly toApi: (groups: readonly (readonly Condition[])[]) => readonly unknown[] | null;
}

export function shownFilters(filters: unknown): ShownFilters {
  const before = new Map<Condition, unknown>();
  const groups = (Array.isArray(filters) ? filters : []).map((group: unknown) => {
    const read = conditions(group);
    for (const [nth, condition] of read.entries()) if (Array.isArray(group)) before.set(condition, group[nth]);
    return read;
  });
  return {
    groups,
    toApi: (next) =>
      next.length === 0
        ? null
        : next.map((group) => group.map((condition) => before.get(condition) ?? toCondition(condition))),
  };
}

interface Placed {
  readonly id: number;
  readonly position: number | null;
}

/** Policies in the order in which they apply: by position, then by id; those without a position last. */
export const byPosition = <T extends Placed>(policies: readonly T[]): readonly T[] =>
  policies.toSorted(
    (a, b) => (a.position ?? Number.MAX_SAFE_INTEGER) - (b.position ?? Number.MAX_SAFE_INTEGER) || a.id - b.id,
  );

/** What a refusal says, which may be about one field of one target: `targets.0.seconds` or `targets[0].seconds`. */
interface Said {
  readonly field: string;
  readonly code: string;
  readonly message?: string;
}

const AT_TARGET = /^targets[.[](\d+)\]?\.?(\w*)/;

/** The fault of each target by its place; `part` is the field that it is about. */
export function targetFaults(
  faults: readonly Said[],
): ReadonlyMap<number, { readonly part: string; readonly message: string }> {
  const found = new Map<number, { readonly part: string; readonly message: string }>();
  for (const { field, message = '' } of faults) {
    const [, place, part = ''] = AT_TARGET.exec(field) ?? AT_TARGET.exec(message) ?? [];
    if (place !== undefined && !found.has(Number(place))) found.set(Number(place), { part, message });
  }
  return found;
}
