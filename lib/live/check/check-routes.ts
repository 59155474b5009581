import * as z from 'zod';
import { R_SETTINGS } from '../../access/roles.ts';
import { notFound, refusal } from '../../errors.ts';
import { idsField } from '../../http/fields.ts';
import { type Reply, show } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { timestampOrNull } from '../../text.ts';
import type { SendPull } from '../due.ts';
import { CONNECTION, findConnection } from '../find.ts';
import { vendorOf } from '../vendors/vendors.ts';
import { COMPARED, REASONS } from './check.ts';
import { type CheckState, checkItem, MOST_CHECKED, newCheck, readCheck, USUALLY_CHECKED } from './check-state.ts';

const VERDICTS = ['explained', 'unexplained'] as const;
const count = () => z.int().nonnegative();

export const deskCheckShape = () =>
  z.object({
    state: z.enum(['none', 'running', 'done']),
    at: z.string().nullable().meta({ format: 'date-time', description: 'When it began' }),
    cases: count().meta({ description: 'Compared so far; the next four add up to it' }),
    equal: count(),
    repaired: count().meta({ description: 'Cases that were equal once they were fetched again' }),
    explained: count(),
    unexplained: count(),
    reasons: z.partialRecord(z.enum(REASONS), count()).meta({ description: 'Cases by reason' }),
    entries: z
      .array(
        z.object({
          case: z.int(),
          measure: z.enum(COMPARED),
          ours: z.number().nullable(),
          theirs: z.number().nullable(),
          unit: z.enum(['min', 's']).nullable(),
          verdict: z.enum(VERDICTS),
          reason: z.enum(REASONS).nullable(),
          story: z.array(z.object({ at: z.string(), what: z.string() })),
        }),
      )
      .meta({ description: 'Measures that differ, the unexplained first; 500 at most' }),
  });

type Shown = z.input<ReturnType<typeof deskCheckShape>>;

const NONE: Shown = {
  ...{ state: 'none', at: null, cases: 0, equal: 0, repaired: 0, explained: 0, unexplained: 0 },
  ...{ reasons: {}, entries: [] },
};

/** A check as replies show it; `unit` is that of the help desk's durations. */
function showCheck(check: CheckState | undefined, unit: 'min' | 's'): Shown {
  if (check === undefined) return NONE;
  const { state, at, equal, repaired, explained, unexplained, reasons, entries, stories } = check;
  return {
    ...{ state, at: timestampOrNull(at), cases: equal + repaired + explained + unexplained },
    ...{ equal, repaired, explained, unexplained, reasons },
    entries: entries.map(({ case: id, measure, ours, theirs, reason }) => ({
      case: Number(id),
      measure,
      ours: rounded(ours),
      theirs: rounded(theirs),
      unit: measure === 'first_reply' || measure === 'resolution' ? unit : null,
      verdict: reason === null ? 'unexplained' : 'explained',
      reason,
      story: stories[id] ?? [],
    })),
  };
}

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 100) / 100);

const usual = { roles: R_SETTINGS, extension: true, reads: () => [], find: findConnection } as const;
const PATH = `${CONNECTION}/check`;

/** The endpoints of the check; `wake` has it begin now, where somebody does not look each second. */
export const createCheckRoutes = (wake: SendPull | undefined, isHere: boolean): readonly Route[] => [
  route({
    ...usual,
    name: 'checkConnection',
    summary: "Compare cases with the help desk's own figures; each that differs is fetched again first",
    method: 'POST',
    path: PATH,
    success: 202,
    body: {
      cases: z
        .int('invalid')
        .min(1, 'invalid')
        .max(MOST_CHECKED, 'invalid')
        .meta({ description: `The latest changed; default ${USUALLY_CHECKED}` }),
      case_ids: idsField(MOST_CHECKED).refine((ids) => ids.length > 0 && ids.every((id) => id > 0), 'invalid'),
    },
    reply: deskCheckShape,
    example: { cases: 200 },
    handle: async ({ context, resource: { connection }, fields, faults }) => {
      if (!isHere) throw notFound('connection of help desks in this deployment');
      const { cases, case_ids } = fields;
      if (cases !== undefined && case_ids !== undefined)
        faults.explain('invalid', ['case_ids'], { message: 'Name cases, or a number of them.' });
      faults.check();
      const { check: figures, title } = vendorOf(connection.system);
      if (figures === undefined) throw refusal('conflict', `${title} has no figures of its own to compare with.`);
      if (connection.paused || connection.removing)
        throw refusal('conflict', 'The connection is paused: resume it first.');
      const ids = case_ids && [...new Set(case_ids)].map(String);
      const check = newCheck(context.newId(), context.now, { ...(cases && { cases }), ...(ids && { ids }) });
      const answer: Reply = { ...show(showCheck(check, figures.unit === 60 ? 'min' : 's')), status: 202 };
      await context.commit([], answer, [{ put: checkItem(context.site.name, check) }]);
      await wake?.({ site: context.site.name, connection: connection.id }, context.newId());
      return answer;
    },
  }),
  route({
    ...usual,
    name: 'showCheck',
    summary: "Show the last comparison with the help desk's own figures, case by case",
    method: 'GET',
    path: PATH,
    reply: deskCheckShape,
    handle: async ({ context, resource: { connection } }) => {
      const unit = vendorOf(connection.system).check?.unit === 60 ? 'min' : 's';
      return show(showCheck(await readCheck(context.table, context.site.name), unit));
    },
  }),
];
