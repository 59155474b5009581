import * as z from 'zod';
import { R_INSIGHTS } from '../access/roles.ts';
import type { Site } from '../access/site-fields.ts';
import type { User } from '../access/users.ts';
import { isAhead } from '../ahead.ts';
import type { Context } from '../context.ts';
import { show } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import { idShape, timestampShape } from '../http/shapes.ts';
import type { Collection } from '../store/collection.ts';
import { keys, members } from '../store/keys.ts';
import { timestamp } from '../text.ts';
import { type Delivered, deliveryIn } from './delivery.ts';
import { endedOf, hasEnded, WHY_ENDED } from './ended.ts';
import { commonOf, type Mailing, parseMailing, scheduleOf } from './mailing.ts';
import { isOwn, ownerIn, recipientsOf, withoutReports } from './owned.ts';
import { readUsers } from './recipients.ts';
import { nextDue } from './schedule.ts';

const STATES = ['off', 'waiting', 'done', 'failed'] as const;

const shape = () =>
  z.object({
    lacks: z.array(z.string()).meta({
      description: 'Settings without which this service sends no mail (docs/mail.md); empty: it sends them',
    }),
    _embedded: z.object({
      entries: z.array(
        z.object({
          subscription: idShape().nullable(),
          alert: idShape().nullable().meta({ description: 'It or `subscription`' }),
          state: z.enum(STATES).meta({ description: '`waiting`: no due time has passed yet' }),
          next_at: timestampShape().nullable().meta({ description: 'The next due time; null if it is off' }),
          sent_at: timestampShape().nullable().meta({ description: 'When mails were last sent' }),
          problem: z.string().nullable().meta({ description: 'Why the last due time brought no mail, or not to all' }),
          crossed: z
            .boolean()
            .nullable()
            .meta({ description: 'Whether the number of an alert was beyond its bound at the last check' }),
          ended: z.array(z.object({ login: z.string(), why: z.enum(WHY_ENDED) })).meta({
            description: 'Recipients who get no mail: their server refused one, they reported one as spam, or left',
          }),
        }),
      ),
    }),
  });

/**
 * What became of subscriptions and alerts. It stands apart from them, so that a mail changes no ETag. `lacks`: settings
 * that are missing for mails to be sent.
 */
export const listDeliveries = (lacks: readonly string[]): Route =>
  route({
    name: 'listDeliveries',
    summary: 'List when subscriptions and alerts are due next, and what became of them last',
    method: 'GET',
    path: '/api/v2/deliveries',
    roles: R_INSIGHTS,
    extension: true,
    reply: shape,
    reads: (site) => [keys.subscriptions(site), keys.alerts(site), keys.savedReports(site), keys.boards(site)],
    handle: async ({ context }) => show({ lacks, _embedded: { entries: await entriesOf(context) } }),
  });

async function entriesOf({ site, user, now, table, open }: Context) {
  const [subscriptions, alerts, reports, boards, deliveries, closed] = await Promise.all([
    open(keys.subscriptions(site.name)),
    open(keys.alerts(site.name)),
    open(keys.savedReports(site.name)),
    open(keys.boards(site.name)),
    table.query(keys.deliveries(site.name).pk),
    endedOf(table, site.name),
  ]);
  const deliveredOf = new Map(deliveries.map((item) => [item.sk, deliveryIn(item).kept]));
  const own = [...subscriptions.items.values(), ...alerts.items.values()]
    .map((item) => ({ mailing: parseMailing(item), delivered: deliveredOf.get(item.sk) ?? deliveryIn(undefined).kept }))
    .filter(({ mailing }) => isOwn(user, commonOf(mailing)));
  const owners = await readUsers(
    table,
    site.name,
    own.map(({ mailing }) => commonOf(mailing).owner),
  );
  return own.map(({ mailing, delivered }) => {
    const problem = problemNow(mailing, delivered, { owners, reports, boards }, now);
    return entryOf(mailing, { ...delivered, ended: [...delivered.ended, ...closed], problem }, site, now);
  });
}

/** What a mailing needs to be sent. */
interface Needed {
  readonly owners: ReadonlyMap<string, User>;
  readonly reports: Collection;
  readonly boards: Collection;
}

/** The problem of a mailing, unless it was mended since: the mailing, its report or its board was changed, or its owner. */
function problemNow(
  mailing: Mailing,
  { problem, problem_at }: Delivered,
  { owners, reports, boards }: Needed,
  now: number,
): string | undefined {
  const { owner, updated_at, saved_report } = commonOf(mailing);
  if (ownerIn(owners, commonOf(mailing)) === undefined) return withoutReports(owner);
  if (problem === withoutReports(owner)) return undefined;
  const board = 'subscription' in mailing ? mailing.subscription.board : null;
  const sent =
    board === null ? reports.items.get(members.savedReport(saved_report ?? 0)) : boards.items.get(members.board(board));
  return isAhead(problem_at, now) || problem_at < Math.max(updated_at, Number(sent?.updated_at ?? 0))
    ? undefined
    : problem;
}

function entryOf(mailing: Mailing, { done, since: checked, on, ...rest }: Delivered, site: Site, now: number) {
  const { id, enabled, since, updated_at, ...receiving } = commonOf(mailing);
  const isAlert = 'alert' in mailing;
  const next = enabled ? nextDue(scheduleOf(mailing), site.timeZone, { since, done }, now) : undefined;
  return {
    subscription: isAlert ? null : id,
    alert: isAlert ? id : null,
    state: enabled ? (rest.problem !== undefined ? 'failed' : done === '' ? 'waiting' : 'done') : 'off',
    next_at: next === undefined ? null : timestamp(next.at),
    sent_at: rest.sent_at === undefined ? null : timestamp(rest.sent_at),
    problem: rest.problem ?? null,
    crossed: isAlert && checked === since ? on : null, // of the bound as it is now
    ended: recipientsOf(receiving).flatMap((recipient) => {
      const ended = rest.ended.find((one) => hasEnded([one], recipient, updated_at, now));
      return ended === undefined ? [] : [{ login: recipient.login, why: ended.why }];
    }),
  };
}
