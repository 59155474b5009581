import type { AnyExample, Row } from './example.ts';

/** The number of cells compared, and of those among them that are neither 0 nor null. */
export interface Counted {
  readonly cells: number;
  readonly telling: number;
}

/** The kinds of extensions, each with a test of whether a cell, by its field and example, belongs to it. */
const KINDS: Readonly<Record<string, (field: string, example: AnyExample) => boolean>> = {
  'statistics of durations': (field) => field.includes(':'),
  'all replies': (field) => field.startsWith('reply_time'),
  backlog: (field) => field === 'open_cases',
  ratings: (field) => field.startsWith('csat_'),
  'durations in working time': (field, { body }) => body.hours === 'business' && /^(avg_)?(reply_)?time/.test(field),
  promises: (field) => field.startsWith('sla_'),
  'promises in working time': (field, { reference }) =>
    field.startsWith('sla_') &&
    reference.some(
      (record) => record.type === 'sla_policy' && record.targets?.some(({ hours }) => hours === 'business'),
    ),
  'further dimensions': (_, { body }) =>
    [body.dimension1, body.dimension2].some((name = '') =>
      /^(priority|company|csat_score|status|hour_of_day|weekday|custom_field:)/.test(name),
    ),
};

/** Counts the cells of reports by kind of extension. */
export function countKinds(
  examples: readonly AnyExample[],
  reports: readonly (readonly Row[])[],
): Record<string, Counted> {
  const cells = examples.flatMap((example, place) =>
    (reports[place] ?? []).flatMap((row) =>
      example.body.fields.map((field, at) => ({ example, field, value: row[3 + at] })),
    ),
  );
  return Object.fromEntries(
    Object.entries(KINDS).map(([kind, isOf]) => {
      const those = cells.filter(({ field, example }) => isOf(field, example));
      return [kind, { cells: those.length, telling: those.filter(({ value }) => value != null && value !== 0).length }];
    }),
  );
}
