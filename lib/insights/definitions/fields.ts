import { keysOf } from '../../typed-object.ts';
import { ALL_TELLINGS, type Telling } from '../../vocabulary.ts';
import { NOTHING } from '../json-bytes.ts';
import type { CellSamples } from '../percentiles.ts';
import type { SlaMetric } from '../promises/sla-policies.ts';
import { DIMENSION_NAMES, type DIMENSIONS, type Dimension, type DimensionName, dimensionNamed } from './dimensions.ts';
import {
  DURATIONS,
  type DurationName,
  type Percent,
  percentOf,
  readStatistic,
  type StatisticName,
  statisticLabel,
} from './durations.ts';
import { isOfPromises, isState, type Measure, PROMISES, squaresOf, tellingsOf } from './measures.ts';

/** A data field: its unit, its meaning, and how it is computed from the measures or the sample of a cell. */
export type Field = FieldMeaning & FieldSource;

type FieldSource =
  | { readonly total: Measure }
  | {
      readonly of: readonly Measure[];
      readonly per: readonly Measure[];
      readonly times: 1 | 100;
      readonly squares?: Measure; // of a mean: the squares of its values, which tell how they vary
    }
  | { readonly sample: DurationName; readonly percent: Percent };

/** The groups of fields that people choose from, in the order to show them. */
export const FIELD_GROUPS = ['SLA', 'Satisfaction', 'Speed', 'Cases', 'Messages', 'Work'] as const;
type FieldGroup = (typeof FIELD_GROUPS)[number];

interface FieldMeaning {
  readonly group: FieldGroup;
  readonly label: string; // for people, beside other fields: `First response`
  readonly title: string; // for people, where it stands alone: `Mean time to the first response`
  readonly unit: Unit;
  readonly better: Better;
  readonly meaning: string; // one sentence
  readonly extension?: true; // not of the original interface
  readonly mayChange?: true; // the field looks 14 days ahead, so its values of recent days may still change
  readonly untold?: Untold; // what the field cannot be split by
  readonly nullWithCaseFilters?: true; // the field is null under filters whose `online` is null
}

export type Unit = 'cases' | 'events' | 'messages' | 'seconds' | 'percent' | 'per case' | 'score';

/** The direction of a change that is good; of most counts none is. */
export const BETTER = ['up', 'down', 'neither'] as const;
type Better = (typeof BETTER)[number];

/** The dimensions by whose members a field means nothing. */
interface Untold {
  readonly by: (dimension: Dimension) => boolean;
  readonly sentence: string; // why
  readonly instead: Readonly<Partial<Record<DimensionName, DimensionName>>>; // what people mean by such a dimension
  readonly isNull: boolean; // replies have null; else they have the numbers that the definition gives
}

type FieldOptions = Omit<FieldMeaning, 'group' | 'label' | 'title' | 'unit' | 'better' | 'meaning'>;

type FieldTitle = readonly [group: FieldGroup, label: string, title: string, unit: Unit, better: Better];

const titled = ([group, label, title, unit, better]: FieldTitle, meaning: string) => ({
  group,
  label,
  title,
  unit,
  better,
  meaning,
});
const total = (title: FieldTitle, measure: Measure, meaning: string, extra: FieldOptions = {}) => {
  return { ...titled(title, meaning), total: measure, ...extra };
};
const mean = (title: FieldTitle, of: readonly Measure[], per: Measure, meaning: string) => {
  const squares = of.length === 1 && of[0] !== undefined ? squaresOf(of[0]) : undefined;
  return { ...titled(title, meaning), of, per: [per], times: 1 as const, ...(squares && { squares }) };
};
const rate = (title: FieldTitle, of: Measure, per: Measure, meaning: string) => {
  return { ...titled(title, meaning), of: [of], per: [per], times: 100 as const };
};

const EXTENSION = { extension: true } as const;
const ASSIGNED = { action_agent: 'assigned_agent', action_group: 'assigned_group' } as const;
const ACTED = { assigned_agent: 'action_agent', assigned_group: 'action_group' } as const;

/** Nobody acts when a promise is broken, so these fields are null by `action_agent` and `action_group`. */
const OF_NOBODY: FieldOptions = {
  ...EXTENSION,
  untold: {
    by: ({ of }) => of === 'actor',
    sentence: 'Nobody acts when an SLA is breached, so it is of no agent or group that acted.',
    instead: ASSIGNED,
    isNull: true,
  },
};
/** Customers reopen cases, so by who acted the reopens are nobody's. */
const OF_CUSTOMERS: FieldOptions = {
  untold: {
    by: ({ of }) => of === 'actor',
    sentence:
      "Customers reopen cases, so by who acted a reopen is nobody's. Resolves taken back are of the agents who resolved.",
    instead: ASSIGNED,
    isNull: false,
  },
};
const kept = (label: string, unit: Unit, metric: SlaMetric, meaning: string) =>
  total(
    ['SLA', label, label, unit, 'up'],
    PROMISES[metric].met,
    `${meaning}; they count for the agent who acted.`,
    EXTENSION,
  );
const broken = (label: string, unit: Unit, metric: SlaMetric, meaning: string) =>
  total(
    ['SLA', label, label, unit, 'down'],
    PROMISES[metric].missed,
    `${meaning}, counted at the first second that was too late.`,
    OF_NOBODY,
  );
const keptRate = (label: string, metric: SlaMetric, meaning: string) => {
  const { met, missed } = PROMISES[metric];
  const title: FieldTitle = ['SLA', label, label, 'percent', 'up'];
  return { ...rate(title, met, missed, meaning), ...OF_NOBODY, per: [met, missed] };
};

/** The data fields. Where nothing qualifies, totals are 0, and means and rates are null. */
export const FIELDS = {
  agent_replies_per_resolve: mean(
    ['Messages', 'Replies per case', 'Replies per resolved case', 'per case', 'down'],
    ['repliesToResolve'],
    'resolvedCases',
    'Replies before the resolve, per resolved case.',
  ),
  agent_time_online: total(
    ['Work', 'Time online', 'Time that agents were online', 'seconds', 'neither'],
    'onlineSeconds',
    'How long agents were online.',
    {
      untold: {
        by: ({ online }) => online === null,
        sentence: 'Agents are online for no case in particular.',
        instead: ACTED,
        isNull: true,
      },
      nullWithCaseFilters: true,
    },
  ),
  avg_handle_time: mean(
    ['Speed', 'Handle time', 'Mean handle time', 'seconds', 'down'],
    ['handledSeconds'],
    'handledCases',
    'Time worked on cases, per case worked on.',
  ),
  avg_interactions: mean(
    ['Messages', 'Messages per case', 'Messages per case with a message', 'per case', 'neither'],
    ['inbound', 'outbound'],
    'interactingCases',
    'Messages, per case with a message.',
  ),
  avg_time_to_resolution: mean(
    ['Speed', 'Time to resolution', 'Mean time to resolution', 'seconds', 'down'],
    ['resolutionSeconds'],
    'resolutions',
    'Mean time from creation to the last resolve in the window, of resolved cases.',
  ),
  case_creates: total(['Cases', 'Created', 'Cases created', 'cases', 'neither'], 'creates', 'Cases created.'),
  case_deletes: total(
    ['Cases', 'Deleted', 'Deletions of cases', 'events', 'neither'],
    'deletes',
    'Deletions of cases.',
  ),
  case_reopen_rate: {
    ...rate(
      ['Cases', 'Reopen rate', 'Reopens per 100 resolves', 'percent', 'down'],
      'reopens',
      'resolves',
      'Reopens in percent of resolves.',
    ),
    ...OF_CUSTOMERS,
  },
  case_reopens: total(
    ['Cases', 'Reopens', 'Reopens of cases', 'events', 'down'],
    'reopens',
    'Changes from resolved or closed back to new, open or pending.',
    OF_CUSTOMERS,
  ),
  reopened_resolves: total(
    ['Cases', 'Resolves taken back', 'Resolves taken back by a reopen', 'events', 'down'],
    'reopenedResolves',
    'Resolves that a reopen took back within 14 days, counted at the resolve, for who resolved.',
    { ...EXTENSION, mayChange: true },
  ),
  reopened_resolve_rate: {
    ...rate(
      ['Cases', 'Resolves taken back', 'Resolves taken back by a reopen', 'percent', 'down'],
      'reopenedResolves',
      'resolves',
      'Resolves that a reopen took back within 14 days, in percent of resolves: the reopen rate of who resolved.',
    ),
    ...EXTENSION,
    mayChange: true,
  },
  case_resolves: total(
    ['Cases', 'Resolves', 'Resolves of cases', 'events', 'neither'],
    'resolves',
    'Changes into resolved or closed from any other status.',
  ),
  case_views: total(
    ['Cases', 'Views', 'Views of cases', 'events', 'neither'],
    'views',
    'Agents opening a case; the same agent again within 60 seconds counts once.',
  ),
  cases_resolved_with_macro: total(
    ['Cases', 'Resolved with a macro', 'Cases resolved with a macro', 'cases', 'neither'],
    'withMacro',
    'Resolved cases to which a macro was applied before the resolve.',
  ),
  macro_applied: total(
    ['Work', 'Macros applied', 'Macros applied to cases', 'events', 'neither'],
    'macros',
    'Macros applied.',
  ),
  first_contact_resolution_rate: {
    ...rate(
      ['Cases', 'Resolved at first contact', 'Cases resolved at first contact', 'percent', 'up'],
      'firstContacts',
      'resolvedCases',
      'Resolved cases with exactly one reply before the resolve, and neither a message nor a reopen in the 14 days after it.',
    ),
    mayChange: true,
  },
  inbound_cases: total(
    ['Cases', 'Opened by customers', 'Cases opened by customers', 'cases', 'neither'],
    'inboundCases',
    'Cases whose first message a customer sent, counted at the creation.',
  ),
  inbound_interactions: total(
    ['Messages', 'Messages from customers', 'Messages from customers', 'messages', 'neither'],
    'inbound',
    'Messages from customers.',
  ),
  label_applied: total(
    ['Work', 'Labels applied', 'Labels applied to cases', 'events', 'neither'],
    'labels',
    'Labels added to cases.',
  ),
  outbound_cases: total(
    ['Cases', 'Opened by agents', 'Cases opened by agents', 'cases', 'neither'],
    'outboundCases',
    'Cases whose first message an agent sent, counted at the creation.',
  ),
  outbound_interactions: total(
    ['Messages', 'Messages to customers', 'Messages to customers', 'messages', 'neither'],
    'outbound',
    'Messages from agents that customers see, without automated ones.',
  ),
  resolved_cases: total(
    ['Cases', 'Resolved', 'Cases resolved', 'cases', 'up'],
    'resolvedCases',
    'Cases resolved or closed, whether reopened later or not.',
  ),
  resolved_without_response: total(
    ['Cases', 'Resolved without a reply', 'Cases resolved without a reply', 'cases', 'down'],
    'unanswered',
    'Resolved cases without any reply before the resolve.',
  ),
  time_to_first_response: mean(
    ['Speed', 'First response', 'Mean time to the first response', 'seconds', 'down'],
    ['responseSeconds'],
    'responses',
    'Mean time from creation to the first reply of an agent, of cases that a customer opened, at the reply.',
  ),
  reply_time: {
    ...mean(
      ['Speed', 'Reply time', 'Mean time to a reply', 'seconds', 'down'],
      ['waitSeconds'],
      'repliesToWaits',
      'Mean time that customers waited for a reply, over all replies that end a wait; it counts for the agent who replied.',
    ),
    extension: true,
  },
  open_cases: total(
    ['Cases', 'Open at the end', 'Cases open at the end', 'cases', 'down'],
    'openCases',
    'Cases that are open at the end of the window: the backlog.',
    {
      extension: true,
      untold: {
        by: ({ of }) => of !== 'case',
        sentence: 'A backlog is of cases at one moment: nobody acts, and nothing happens, in it.',
        instead: ASSIGNED,
        isNull: true,
      },
    },
  ),
  csat_ratings: total(
    ['Satisfaction', 'Ratings', 'Ratings by customers', 'cases', 'neither'],
    'ratedCases',
    'Cases that customers rated.',
    {
      extension: true,
    },
  ),
  csat_score: {
    ...mean(
      ['Satisfaction', 'Satisfaction score', 'Mean satisfaction score', 'score', 'up'],
      ['scores'],
      'ratedCases',
      'Mean of the last rating of each rated case.',
    ),
    extension: true,
  },
  csat_positive_rate: {
    ...rate(
      ['Satisfaction', 'Satisfied customers', 'Ratings by satisfied customers', 'percent', 'up'],
      'positiveRatings',
      'ratedCases',
      'Rated cases whose last rating is 3 or 4, or yes where customers answer yes or no.',
    ),
    extension: true,
  },
  sla_first_response_met: kept(
    'First responses within SLA',
    'cases',
    'first_response',
    'First responses that came as promised',
  ),
  sla_first_response_missed: broken(
    'First response SLA breached',
    'cases',
    'first_response',
    'Promises of a first response that were broken',
  ),
  sla_first_response_rate: keptRate(
    'First response SLA met',
    'first_response',
    'First responses that came as promised, in percent of all that were due.',
  ),
  sla_reply_met: kept('Replies within SLA', 'events', 'reply', 'Replies that ended a wait as promised'),
  sla_reply_missed: broken('Reply SLA breached', 'events', 'reply', 'Waits for a reply that took longer than promised'),
  sla_reply_rate: keptRate('Reply SLA met', 'reply', 'Replies that came as promised, in percent of all that were due.'),
  sla_resolution_met: kept(
    'Resolutions within SLA',
    'cases',
    'resolution',
    'Cases resolved for the first time as promised',
  ),
  sla_resolution_missed: broken(
    'Resolution SLA breached',
    'cases',
    'resolution',
    'Promises of a resolution that were broken',
  ),
  sla_resolution_rate: keptRate(
    'Resolution SLA met',
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
export function fieldNamed(field: FieldName): Field {
  if (isPlain(field)) return FIELDS[field];
  const read = readStatistic(field);
  if (read === undefined) throw new Error(`there is no field ${field}`);
  const { duration, statistic } = read;
  const { label, seconds, count, sample } = DURATIONS[duration];
  const percent = percentOf(statistic);
  const meaning = (what: string): string => `${what} of the sample: ${sample}.`;
  const name = `${label}, ${statisticLabel(statistic)}`;
  const isCount = statistic === 'count';
  const title: FieldTitle = ['Speed', name, name, isCount ? 'cases' : 'seconds', isCount ? 'neither' : 'down'];
  if (isCount) return total(title, count, meaning('The size'), EXTENSION);
  if (percent === undefined) return { ...mean(title, [seconds], count, meaning('The mean')), ...EXTENSION };
  return { ...titled(title, meaning(`Statistic ${statistic}`)), sample: duration, percent, ...EXTENSION };
}

/** Why a field means nothing by a dimension, and what to split by instead; undefined where it means something. */
export function untoldBy(
  name: FieldName,
  dimension: DimensionName,
): (Untold & { readonly use: DimensionName | null }) | undefined {
  const { untold } = fieldNamed(name);
  return untold?.by(dimensionNamed(dimension)) ? { ...untold, use: untold.instead[dimension] ?? null } : undefined;
}

/** The dimensions by which replies have null for a field. */
export const nullDimensions = (name: FieldName): readonly (keyof typeof DIMENSIONS)[] =>
  DIMENSION_NAMES.filter((dimension) => untoldBy(name, dimension)?.isNull === true);

/** Whether a field is a state at an instant: its values of several windows are not parts of one. */
export const isLevel = (name: FieldName): boolean => [...measuresOf([name])].some(isState);

/** Whether some of the fields count promises. */
export const countPromises = (names: readonly FieldName[]): boolean => [...measuresOf(names)].some(isOfPromises);

/** What the history must tell for a field to say something. */
export const needsOf = (name: FieldName): Telling[] => {
  const needed = new Set([...measuresOf([name])].flatMap(tellingsOf));
  return ALL_TELLINGS.filter((each) => needed.has(each) && !(each === 'first_replies' && needed.has('replies')));
};

/** The measures that fields are computed from. */
export function measuresOf(names: readonly FieldName[]): Set<Measure> {
  return new Set(names.flatMap((name) => parts(fieldNamed(name))));
}

/** The measures that tell how the values of means vary. */
export const varianceMeasures = (names: readonly FieldName[]): Measure[] =>
  names.map(fieldNamed).flatMap((field) => ('of' in field && field.squares !== undefined ? [field.squares] : []));

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
  percentOf(duration: DurationName, percent: Percent): Float64Array; // by cell
}

/**
 * Returns a field's number in each cell, rounded half up to 2 decimals (docs/rules.md 5 and 25); `NOTHING` for a mean,
 * rate or percentile without values.
 */
export function fieldValues(
  name: FieldName,
  { sumsOf, percentOf }: Pick<CellNumbers, 'sumsOf' | 'percentOf'>,
): Float64Array {
  const field = fieldNamed(name);
  if ('total' in field) return sumsOf(field.total);
  if ('sample' in field) return percentOf(field.sample, field.percent);
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

/** The sum of some measures in a cell; `parts` are their sums by cell. */
export function sumAt(parts: readonly Float64Array[], cell: number): number {
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
