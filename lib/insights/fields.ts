import { NOTHING } from './json-bytes.ts';
import type { Measure } from './measures.ts';

/** How a data field comes from the measures of a cell, and what it counts in. */
export type Field =
  | { readonly unit: Unit; readonly total: Measure }
  | { readonly unit: Unit; readonly of: readonly Measure[]; readonly per: Measure; readonly times: 1 | 100 };

export type Unit = 'cases' | 'events' | 'messages' | 'seconds' | 'percent' | 'per case';

const total = (unit: Unit, measure: Measure): Field => ({ unit, total: measure });
const mean = (unit: Unit, of: readonly Measure[], per: Measure): Field => ({ unit, of, per, times: 1 });
const rate = (of: Measure, per: Measure): Field => ({ unit: 'percent', of: [of], per, times: 100 });

/** The data fields (`insights.md` section 2): totals are 0 and means and rates null where nothing qualifies. */
export const FIELDS = {
  agent_replies_per_resolve: mean('per case', ['repliesToResolve'], 'resolvedCases'),
  agent_time_online: total('seconds', 'onlineSeconds'),
  avg_handle_time: mean('seconds', ['handledSeconds'], 'handledCases'),
  avg_interactions: mean('per case', ['inbound', 'outbound'], 'interactingCases'),
  avg_time_to_resolution: mean('seconds', ['resolutionSeconds'], 'resolutions'),
  case_creates: total('cases', 'creates'),
  case_deletes: total('events', 'deletes'),
  case_reopen_rate: rate('reopens', 'resolves'),
  case_reopens: total('events', 'reopens'),
  case_resolves: total('events', 'resolves'),
  case_views: total('events', 'views'),
  cases_resolved_with_macro: total('cases', 'withMacro'),
  macro_applied: total('events', 'macros'),
  first_contact_resolution_rate: rate('firstContacts', 'resolvedCases'),
  inbound_cases: total('cases', 'inboundCases'),
  inbound_interactions: total('messages', 'inbound'),
  label_applied: total('events', 'labels'),
  outbound_cases: total('cases', 'outboundCases'),
  outbound_interactions: total('messages', 'outbound'),
  resolved_cases: total('cases', 'resolvedCases'),
  resolved_without_response: total('cases', 'unanswered'),
  time_to_first_response: mean('seconds', ['responseSeconds'], 'responses'),
} as const satisfies Record<string, Field>;

export type FieldName = keyof typeof FIELDS;

export const FIELD_NAMES = Object.keys(FIELDS) as readonly FieldName[];

/** The measures that fields are made of. */
export function measuresOf(names: readonly FieldName[]): Set<Measure> {
  return new Set(names.flatMap((name) => parts(FIELDS[name])));
}

function parts(field: Field): Measure[] {
  return 'total' in field ? [field.total] : [...field.of, field.per];
}

/**
 * A field's number in each cell, from the sums of its measures by cell; `NOTHING` for a mean or rate of nothing. Rounded
 * half up to 2 decimals (rules 5 and 25).
 */
export function fieldValues(name: FieldName, sumsOf: (measure: Measure) => Float64Array): Float64Array {
  const field: Field = FIELDS[name];
  if ('total' in field) return sumsOf(field.total);
  return quotients(field.of.map(sumsOf), sumsOf(field.per), field.times);
}

function quotients(parts: readonly Float64Array[], counts: Float64Array, times: number): Float64Array {
  const values = new Float64Array(counts.length);
  for (let cell = 0; cell < counts.length; cell += 1) {
    const count = counts[cell]!;
    let sum = 0;
    for (const part of parts) sum += part[cell]!;
    values[cell] = count === 0 ? NOTHING : roundedQuotient(sum * times, count);
  }
  return values;
}

/** What a field is where nothing happened. */
export const emptyValue = (name: FieldName): number => ('total' in FIELDS[name] ? 0 : NOTHING);

/** numerator ÷ denominator rounded half up to 2 decimals, from the exact quotient; both integers, not negative. */
export function roundedQuotient(numerator: number, denominator: number): number {
  const doubled = numerator * 200 + denominator;
  if (Number.isSafeInteger(doubled)) return Math.floor(doubled / (2 * denominator)) / 100;
  return Number((BigInt(numerator) * 200n + BigInt(denominator)) / (2n * BigInt(denominator))) / 100;
}
