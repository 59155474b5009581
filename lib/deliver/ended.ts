import * as z from 'zod';
import { audited, serviceEntry } from '../access/audit.ts';
import { normalizeLogin } from '../access/users.ts';
import { isAhead } from '../ahead.ts';
import { keys } from '../store/keys.ts';
import { transactOnce } from '../store/once.ts';
import { replan } from '../store/replan.ts';
import type { Table } from '../store/table.ts';
import { readUsers } from './recipients.ts';

/** Why an address gets nothing more: its server refused a mail for good, its owner reported one as spam, or left. */
export const WHY_ENDED = ['refused', 'spam', 'left'] as const;

export const endedShape = z.object({
  login: z.string(), // in lower case
  at: z.number(), // epoch ms; of the mail, if one was refused or reported
  why: z.enum(WHY_ENDED),
  generation: z.number().optional(), // of who left, as the mailing named them
});

/** An address that gets nothing more. */
export type Ended = Readonly<z.infer<typeof endedShape>>;

/**
 * Whether a recipient gets no mail of a mailing: they left, or their address took none since the mailing was last
 * changed. `changed` and `now` in epoch ms.
 */
export const hasEnded = (
  all: readonly Ended[],
  { login, generation }: Pick<Ended, 'login' | 'generation'>,
  changed: number,
  now: number,
): boolean =>
  all.some(
    ({ login: address, why, at, generation: left }) =>
      address === login && (why === 'left' ? left === generation : at > changed && !isAhead(at, now)),
  );

/** The addresses of a site that took a mail no more. */
export const endedOf = async (table: Table, site: string): Promise<Ended[]> =>
  (await table.query(keys.endedAddresses(site).pk)).map((item) => endedShape.parse(item));

/**
 * Ends all subscriptions and alerts of a site for an address, with an entry in the audit, until each is changed. Told
 * again of the same mail, or of an earlier one, it does nothing; so it does for who is no user of the site.
 */
export async function endAddress(
  { table, clock, newId }: { readonly table: Table; readonly clock: () => number; readonly newId: () => string },
  site: string,
  ended: Ended,
): Promise<void> {
  const login = normalizeLogin(ended.login);
  if (!(await readUsers(table, site, [login])).has(login)) return;
  const key = keys.endedAddress(site, login);
  const what = { action: 'refuse', resource: `users/${login}`, via: 'service', fields: ['mails'] } as const;
  const entry = serviceEntry(what, { id: newId(), at: clock() });
  await replan(async () => {
    const before = await table.get(key);
    if (before !== undefined && endedShape.parse(before).at >= ended.at) return;
    const when = before === undefined ? { absent: true as const } : { attribute: 'at', equals: Number(before.at) };
    await transactOnce(table, [{ put: { ...key, ...ended, login }, when }], audited(site, entry));
  });
}
