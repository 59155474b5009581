import * as z from 'zod';
import { R_INSIGHTS } from '../access/roles.ts';
import { wordField } from '../http/fields.ts';
import { finderOf, readsOfResource, writesOfResource } from '../http/resource.ts';
import type { Route } from '../http/route.ts';
import { idShape, linkShape, timestampShape } from '../http/shapes.ts';
import { type KeptResource, keptIn } from '../insights/saved/kept.ts';
import { keys, members } from '../store/keys.ts';
import { WEEK_DAYS } from '../vocabulary.ts';
import { checkReport, isOwn, ownedFields, ownedParts, ownedShape, planOwned, shownOwned, sinceOf } from './owned.ts';

const EVERY = ['day', 'week', 'month'] as const;

const stored = z.object({
  ...ownedParts,
  board: z.int().nullable(),
  saved_report: z.int().nullable(), // one of the two
  every: z.enum(EVERY),
  weekday: z.enum(WEEK_DAYS), // of no use unless each week
  day: z.int(), // of the month, likewise
});

/** A board or a saved report that is mailed regularly. */
export type Subscription = Readonly<z.infer<typeof stored>>;

export const parseSubscription = (item: unknown): Subscription => stored.parse(item);

export const SUBSCRIPTIONS_PATH = '/api/v2/subscriptions';

const shape = () =>
  z.object({
    id: idShape(),
    board: idShape().nullable(),
    saved_report: idShape().nullable(),
    every: z.enum(EVERY),
    weekday: z.enum(WEEK_DAYS),
    day: z.int(),
    ...ownedShape(),
    created_at: timestampShape(),
    updated_at: timestampShape(),
    _links: z.object({
      self: linkShape('subscription'),
      mail: linkShape('mail'),
      board: linkShape('board').nullable(),
      saved_report: linkShape('saved_report').nullable(),
    }),
  });

function show(one: Subscription): z.input<ReturnType<typeof shape>> {
  const href = `${SUBSCRIPTIONS_PATH}/${one.id}`;
  return {
    ...shownOwned(one),
    _links: {
      self: { href, class: 'subscription' },
      mail: { href: `${href}/mail`, class: 'mail' },
      board: one.board === null ? null : { href: `/api/v2/boards/${one.board}`, class: 'board' },
      saved_report:
        one.saved_report === null ? null : { href: `/api/v2/saved_reports/${one.saved_report}`, class: 'saved_report' },
    },
  };
}

const idOrNull = () => z.int('invalid').min(1, 'invalid').nullable();

const SUBSCRIPTIONS: KeptResource<Subscription> = {
  ...keptIn({ partition: keys.subscriptions, member: members.subscription, stored }),
  path: SUBSCRIPTIONS_PATH,
  param: 'subscription_id',
  isFor: isOwn,
  shape,
  show,
};

/** A route's `find`: returns the subscription in the path; throws `not_found`. */
export const findSubscription = finderOf(SUBSCRIPTIONS);

/** Subscriptions: read and written. */
export const subscriptionRoutes: readonly Route[] = [
  ...readsOfResource(SUBSCRIPTIONS),
  ...writesOfResource(SUBSCRIPTIONS, {
    limit: 'subscriptions',
    roles: R_INSIGHTS,
    deletes: true,
    fields: {
      board: idOrNull().meta({ description: 'Id of a board; it or `saved_report`' }),
      saved_report: idOrNull(),
      every: wordField(EVERY),
      weekday: wordField(WEEK_DAYS).meta({ description: 'If `every` is `week`; monday if absent' }),
      day: z
        .int('invalid')
        .min(1, 'invalid')
        .max(31, 'invalid')
        .meta({ description: 'If `every` is `month`; a shorter month has its last day; 1 if absent' }),
      ...ownedFields(),
    },
    required: ['every', 'recipients'],
    examples: [
      { board: 9, every: 'week', weekday: 'monday', at: '07:30', recipients: ['ann@acme.example'] },
      { at: '08:00' },
    ],
    checks: (site) => [keys.savedReports(site), keys.boards(site)],
    plan: async ({ context, before, fields, faults }) => {
      const what = { board: fields.board, saved_report: fields.saved_report };
      // One that is named takes the place of the other.
      const board = what.board ?? (what.saved_report ? null : what.board === null ? null : (before?.board ?? null));
      const report =
        what.saved_report ?? (what.board ? null : what.saved_report === null ? null : (before?.saved_report ?? null));
      if ((board === null) === (report === null)) {
        const message = 'A subscription sends one thing: give the id of a `board` or of a `saved_report`.';
        faults.explain(board === null ? 'blank' : 'invalid', ['saved_report'], { message });
      }
      if (what.board) {
        const { items } = await context.open(keys.boards(context.site.name));
        if (!items.has(members.board(what.board)))
          faults.explain('not_found', ['board'], { message: `There is no board ${what.board}.` });
      }
      if (what.saved_report) await checkReport(context, what.saved_report, faults);
      const owned = await planOwned({ context, before, faults }, fields);
      const when = {
        every: fields.every ?? before?.every ?? 'week',
        weekday: fields.weekday ?? before?.weekday ?? 'monday',
        day: fields.day ?? before?.day ?? 1,
        at: owned.at,
        enabled: owned.enabled,
      };
      return { ...owned, board, saved_report: report, ...when, since: sinceOf(before, when, context.now) };
    },
  }),
];
