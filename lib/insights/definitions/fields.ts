import { keysOf } from '../../typed-object.ts';
import { NOTHING } from '../json-bytes.ts';
import { type CellSamples, percentiles } from '../percentiles.ts';
import type { SlaMetric } from '../promises/sla-policies.ts';
import type { Dimension } from './dimensions.ts';
import {
  DURATIONS,
  type DurationName,
  type Percent,
  percentOf,
  readStatistic,
  type StatisticName,
  statisticLabel,
} from './durations.ts';
import { type Measure, PROMISES } from './measures.ts';

/** A data field: its unit, its meaning, and how it is computed from the measures or the sample of a cell. */
export type Field = FieldMeaning & FieldSource;

type FieldSource =
  | { readonly total: Measure }
  | { readonly of: readonly Measure[]; readonly per: readonly Measure[]; readonly times: 1 | 100 }
  | { readonly sample: DurationName; readonly percent: Percent };

/** The groups of fields that people choose from, in the order to show them. */
export const FIELD_GROUPS = ['Promises', 'Satisfaction', 'Speed', 'Cases', 'Messages', 'Work'] as const;
export type FieldGroup = (typeof FIELD_GROUPS)[number];

interface FieldMeaning {
  readonly group: FieldGroup;
  readonly label: string; // for people: `First response`
  readonly unit: Unit;
  readonly meaning: string; // one sentence
  readonly extension?: true; // not of the original interface
  readonly mayChange?: true; // the field looks 14 days ahead, so its values of recent days may still change
  readonly nullBy?: (dimension: Dimension) => boolean; // the field is null by these dimensions
  readonly nullWithCaseFilters?: true; // the field is null under filters whose `online` is null
}

export type Unit = 'cases' | 'events' | 'messages' | 'seconds' | 'percent' | 'per case' | 'score';

type FieldOptions = Omit<FieldMeaning, 'group' | 'label' | 'unit' | 'meaning'>;

type FieldTitle = readonly [group: FieldGroup, label: string, unit: Unit];

const total = ([group, label, unit]: FieldTitle, measure: Measure, meaning: string, extra: FieldOptions = {}) => {
  return { group, label, unit, meaning, total: measure, ...extra };
};
const mean = ([group, label, unit]: FieldTitle, of: readonly Measure[], per: Measure, meaning: string) => {
  return { group, label, unit, meaning, of, per: [per], times: 1 as const };
};
const rate = ([group, label]: [FieldGroup, string], of: Measure, per: Measure, meaning: string) => {
  return { group, label, unit: 'percent' as const, meaning, of: [of], per: [per], times: 100 as const };
};

const EXTENSION = { extension: true } as const;
/** Nobody acts when a promise is broken, so these fields are null by `action_agent` and `action_group`. */
const OF_NOBODY: FieldOptions = { ...EXTENSION, nullBy: ({ of }) => of === 'actor' };
const kept = (label: string, unit: Unit, metric: SlaMetric, meaning: string) =>
  total(['Promises', label, unit], PROMISES[metric].met, `${meaning}; they count for the agent who acted.`, EXTENSION);
const broken = (label: string, unit: Unit, metric: SlaMetric, meaning: string) =>
  total(
    ['Promises', label, unit],
    PROMISES[metric].missed,
    `${meaning}, counted at the first second that was too late.`,
    OF_NOBODY,
  );
const keptRate = (label: string, metric: SlaMetric, meaning: string) => {
  const { met, missed } = PROMISES[metric];
  return { ...rate(['Promises', label], met, missed, meaning), ...OF_NOBODY, per: [met, missed] };
};

/** The data fields. Where nothing qualifies, totals are 0, and means and rates are null. */
export const FIELDS = {
  agent_replies_per_resolve: mean(
    ['Messages', 'Replies per resolve', 'per case'],
    ['repliesToResolve'],
    'resolvedCases',
    'Replies before the resolve, per resolved case.',
  ),
  agent_time_online: total(['Work', 'Time online', 'seconds'], 'onlineSeconds', 'How long agents were online.', {
    nullBy: ({ online }) => online === null,
    nullWithCaseFilters: true,
  }),
  avg_handle_time: mean(
    ['Speed', 'Handle time', 'seconds'],
    ['handledSeconds'],
    'handledCases',
    'Time worked on cases, per case worked on.',
  ),
  avg_interactions: mean(
    ['Messages', 'Messages per case', 'per case'],
    ['inbound', 'outbound'],
    'interactingCases',
    'Messages, per case with a message.',
  ),
  avg_time_to_resolution: mean(
    ['Speed', 'Time to resolution', 'seconds'],
    ['resolutionSeconds'],
    'resolutions',
    'Mean time from creation to the last resolve in the window, of resolved cases.',
  ),
  case_creates: total(['Cases', 'Created', 'cases'], 'creates', 'Cases created.'),
  case_deletes: total(['Cases', 'Deleted', 'events'], 'deletes', 'Deletions of cases.'),
  case_reopen_rate: rate(['Cases', 'Reopen rate'], 'reopens', 'resolves', 'Reopens in percent of resolves.'),
  case_reopens: total(
    ['Cases', 'Reopens', 'events'],
    'reopens',
    'Changes from resolved or closed back to new, open or pending.',
  ),
  case_resolves: total(
    ['Cases', 'Resolves', 'events'],
    'resolves',
    'Changes into resolved or closed from any other status.',
  ),
  case_views: total(
    ['Cases', 'Views', 'events'],
    'views',
    'Agents opening a case; the same agent again within 60 seconds counts once.',
  ),
  cases_resolved_with_macro: total(
    ['Cases', 'Resolved with a macro', 'cases'],
    'withMacro',
    'Resolved cases to which a macro was applied before the resolve.',
  ),
  macro_applied: total(['Work', 'Macros applied', 'events'], 'macros', 'Macros applied.'),
  first_contact_resolution_rate: {
    ...rate(
      ['Cases', 'Resolved at first contact'],
      'firstContacts',
      'resolvedCases',
      'Resolved cases with exactly one reply before the resolve, and neither a message nor a reopen in the 14 days after it.',
    ),
    mayChange: true,
  },
  inbound_cases: total(
    ['Cases', 'Opened by customers', 'cases'],
    'inboundCases',
    'Cases whose first message a customer sent, counted at the creation.',
  ),
  inbound_interactions: total(
    ['Messages', 'Messages from customers', 'messages'],
    'inbound',
    'Messages from customers.',
  ),
  label_applied: total(['Work', 'Labels applied', 'events'], 'labels', 'Labels added to cases.'),
  outbound_cases: total(
    ['Cases', 'Opened by agents', 'cases'],
    'outboundCases',
    'Cases whose first message an agent sent, counted at the creation.',
  ),
  outbound_interactions: total(
    ['Messages', 'Messages to customers', 'messages'],
    'outbound',
    'Messages from agents that customers see, without automated ones.',
  ),
  resolved_cases: total(
    ['Cases', 'Resolved', 'cases'],
    'resolvedCases',
    'Cases resolved or closed, whether reopened later or not.',
  ),
  resolved_without_response: total(
    ['Cases', 'Resolved without a reply', 'cases'],
    'unanswered',
    'Resolved cases without any reply before the resolve.',
  ),
  time_to_first_response: mean(
    ['Speed', 'First response', 'seconds'],
    ['responseSeconds'],
    'responses',
    'Mean time from creation to the first reply of an agent, of cases that a customer opened, at the reply.',
  ),
  reply_time: {
    ...mean(
      ['Speed', 'Reply time', 'seconds'],
      ['waitSeconds'],
      'repliesToWaits',
      'Mean time that customers waited for a reply, over all replies that end a wait; it counts for the agent who replied.',
    ),
    extension: true,
  },
  open_cases: total(
    ['Cases', 'Open at the end', 'cases'],
    'openCases',
    'Cases that are open at the end of the window: the backlog.',
    {
      extension: true,
      nullBy: ({ of }) => of !== 'case',
    },
  ),
  csat_ratings: total(['Satisfaction', 'Ratings', 'cases'], 'ratedCases', 'Cases that customers rated.', {
    extension: true,
  }),
  csat_score: {
    ...mean(
      ['Satisfaction', 'Satisfaction score', 'score'],
      ['scores'],
      'ratedCases',
      'Mean of the last rating of each rated case.',
    ),
    extension: true,
  },
  csat_positive_rate: {
    ...rate(
      ['Satisfaction', 'Satisfied customers'],
      'positiveRatings',
      'ratedCases',
      'Rated cases whose last rating is 3 or 4, or yes where customers answer yes or no.',
    ),
    extension: true,
  },
  sla_first_response_met: kept(
    'First responses in time',
    'cases',
    'first_response',
    'First responses that came as promised',
  ),
  sla_first_response_missed: broken(
    'First responses too late',
    'cases',
    'first_response',
    'Promises of a first response that were broken',
  ),
  sla_first_response_rate: keptRate(
    'First response promise kept',
    'first_response',
    'First responses that came as promised, in percent of all that were due.',
  ),
  sla_reply_met: kept('Replies in time', 'events', 'reply', 'Replies that ended a wait as promised'),
  sla_reply_missed: broken('Replies too late', 'events', 'reply', 'Waits for a reply that took longer than promised'),
  sla_reply_rate: keptRate(
    'Reply promise kept',
    'reply',
    'Replies that came as promised, in percent of all that were due.',
  ),
  sla_resolution_met: kept(
    'Resolutions in time',
    'cases',
    'resolution',
    'Cases resolved for the first time as promised',
  ),
  sla_resolution_missed: broken(
    'Resolutions too late',
    'cases',
    'resolution',
    'Promises of a resolution that were broken',
  ),
  sla_resolution_rate: keptRate(
    'Resolution promise kept',
    'resolution',
    'Cases resolved as promised, in percent of all that were due.',
  ),
} as const satisfies Record<string, Field>;

export type PlainFieldName = keyof typeof FIELDS;

/** A field as requests name it. */
export type FieldName = PlainFieldName | StatisticName;

/** All fields except the statistics of durations, which are too many to list. */
export const FIELD_NAMES = keysOf(FIELDS);

const isPlain = (name: string): name is PlainFieldName => Object.hasOwn(FIELDS, name);

/** Whether a report can have a field of this name. */
export const isFieldName = (name: unknown): name is FieldName =>
  typeof name === 'string' && (isPlain(name) || readStatistic(name) !== undefined);

/** Returns the field with a name; throws if there is none. */
export function fieldNamed(name: FieldName): Field {
  if (isPlain(name)) return FIELDS[name];
  const read = readStatistic(name);
  if (read === undefined) throw new Error(`there is no field ${name}`);
  const { duration, statistic } = read;
  const { label, seconds, count, sample } = DURATIONS[duration];
  const percent = percentOf(statistic);
  const meaning = (what: string): string => `${what} of the sample: ${sample}.`;
  const title: FieldTitle = [
    'Speed',
    `${label}, ${statisticLabel(statistic)}`,
    statistic === 'count' ? 'cases' : 'seconds',
  ];
  if (statistic === 'count') return total(title, count, meaning('The size'), EXTENSION);
  if (percent === undefined) return { ...mean(title, [seconds], count, meaning('The mean')), ...EXTENSION };
  const [group, statisticTitle, unit] = title;
  return {
    group,
    label: statisticTitle,
    unit,
    sample: duration,
    percent,
    meaning: meaning(`Statistic ${statistic}`),
    ...EXTENSION,
  };
}

/** The measures that fields are computed from. */
export function measuresOf(names: readonly FieldName[]): Set<Measure> {
  return new Set(names.flatMap((name) => parts(fieldNamed(name))));
}

function parts(field: Field): Measure[] {
  if ('total' in field) return [field.total];
  return 'sample' in field ? [DURATIONS[field.sample].count] : [...field.of, ...field.per];
}

/** The durations of which the fields need every single value, not only the sum. */
export const samplesOf = (names: readonly FieldName[]): Set<DurationName> =>
  new Set(names.map(fieldNamed).flatMap((field) => ('sample' in field ? [field.sample] : [])));

/** The numbers in the cells of a report. */
export interface CellNumbers {
  sumsOf(measure: Measure): Float64Array; // by cell
  sortedOf(duration: DurationName): CellSamples; // sorted
}

/**
 * Returns a field's number in each cell, rounded half up to 2 decimals (docs/rules.md 5 and 25); `NOTHING` for a mean,
 * rate or percentile without values.
 */
export function fieldValues(name: FieldName, { sumsOf, sortedOf }: CellNumbers): Float64Array {
  const field = fieldNamed(name);
  if ('total' in field) return sumsOf(field.total);
  if ('sample' in field) return percentiles(sortedOf(field.sample), field.percent, NOTHING);
  return quotients(field.of.map(sumsOf), field.per.map(sumsOf), field.times);
}

function quotients(parts: readonly Float64Array[], counts: readonly Float64Array[], times: number): Float64Array {
  const values = new Float64Array(parts[0]?.length ?? 0);
  for (let cell = 0; cell < values.length; cell += 1) {
    const sum = sumAt(parts, cell);
    const count = sumAt(counts, cell);
    values[cell] = count === 0 ? NOTHING : roundedQuotient(sum * times, count);
  }
  return values;
}

function sumAt(parts: readonly Float64Array[], cell: number): number {
  let sum = 0;
  for (const part of parts) sum += part[cell] ?? 0;
  return sum;
}

/** The value of a field in a cell where nothing happened. */
export const emptyValue = (name: FieldName): number => ('total' in fieldNamed(name) ? 0 : NOTHING);

/** Rounds the exact quotient half up to 2 decimals. The numerator is an integer from 0, the denominator one from 1. */
export function roundedQuotient(numerator: number, denominator: number): number {
  const doubled = numerator * 200 + denominator;
  if (Number.isSafeInteger(doubled)) return Math.floor(doubled / (2 * denominator)) / 100;
  return Number((BigInt(numerator) * 200n + BigInt(denominator)) / (2n * BigInt(denominator))) / 100;
}
