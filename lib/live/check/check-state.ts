import * as z from 'zod';
import { isAhead } from '../../ahead.ts';
import { keys } from '../../store/keys.ts';
import type { Item, Table } from '../../store/table.ts';
import { instantOf } from '../../zone.ts';
import type { DeskConnection } from '../connection.ts';
import { COMPARED, type Difference, REASONS, type Reason } from './check.ts';

export const USUALLY_CHECKED = 200;
export const MOST_CHECKED = 1_000;

const MOST_ENTRIES = 500; // kept; the counts tell of all
const MOST_TOLD = 1_000; // events in all stories
const NIGHT = 2 * 3_600; // s of the day from which a check is due
const DAY = 86_400; // s

const entry = z.object({
  case: z.string(),
  measure: z.enum(COMPARED),
  ours: z.number().nullable(),
  theirs: z.number().nullable(),
  reason: z.enum(REASONS).nullable(),
});

const stored = z.object({
  change: z.string(), // another text for each check
  state: z.enum(['running', 'done']),
  at: z.number(), // epoch ms of its beginning
  cases: z.int(), // how many were asked for
  todo: z.array(z.string()).nullable(), // ids; null: the latest changed are not listed yet
  equal: z.int(),
  repaired: z.int(),
  explained: z.int(),
  unexplained: z.int(),
  reasons: z.partialRecord(z.enum(REASONS), z.int()), // cases
  entries: z.array(entry), // the unexplained first
  stories: z.record(z.string(), z.array(z.object({ at: z.string(), what: z.string() }))), // by case
});

/** A comparison with the help desk's own figures, and how far it is. */
export type CheckState = Readonly<z.infer<typeof stored>>;

/** What became of a case. */
export interface CheckedCase {
  readonly id: string;
  readonly isRepaired: boolean;
  readonly differences: readonly (Difference & { readonly reason: Reason | null })[]; // none: equal
  readonly story: readonly { readonly at: string; readonly what: string }[];
}

/** A check that begins: of some cases, or of the latest changed. */
export const newCheck = (
  change: string,
  at: number,
  { cases = USUALLY_CHECKED, ids = null }: { readonly cases?: number; readonly ids?: readonly string[] | null } = {},
): CheckState => ({
  ...{ change, at, state: 'running', cases, todo: ids === null ? null : [...ids] },
  ...{ equal: 0, repaired: 0, explained: 0, unexplained: 0, reasons: {}, entries: [], stories: {} },
});

export const checkItem = (site: string, check: CheckState): Item => ({ ...keys.connection(site, 'check'), ...check });

export const checkIn = (item: Item | undefined): CheckState | undefined =>
  item === undefined ? undefined : stored.parse(item);

/** Reads the last check of a site's connection; undefined if there was none. */
export const readCheck = async (table: Table, site: string): Promise<CheckState | undefined> =>
  checkIn(await table.get(keys.connection(site, 'check')));

export const isChecking = (check: CheckState | undefined): boolean => check?.state === 'running';

/** Whether a night has begun, by the site's clocks, since the last check and the connection. */
export function isNightlyDue(
  { created_at }: Pick<DeskConnection, 'created_at'>,
  check: CheckState | undefined,
  { zone, now }: { readonly zone: string; readonly now: number },
): boolean {
  const second = Math.floor(now / 1000);
  const midnights = [0, 1, 2].map((days) => Math.floor(second / DAY + 1 - days) * DAY + NIGHT);
  const nights = midnights.map((local) => instantOf({ name: zone }, local)).filter((night) => night <= second);
  const last = [check?.at ?? 0, created_at].filter((at) => !isAhead(at, now));
  return Math.max(...nights) * 1000 > Math.max(0, ...last);
}

/** A check that has a case not to do any more. */
export const without = (check: CheckState, id: string): CheckState => ({
  ...check,
  todo: (check.todo ?? []).filter((one) => one !== id),
});

/** A check with what became of one more case, which it has not to do any more. */
export function withChecked(check: CheckState, { id, isRepaired, differences, story }: CheckedCase): CheckState {
  const reasons = { ...check.reasons };
  for (const reason of new Set(differences.map((one) => one.reason)))
    if (reason !== null) reasons[reason] = (reasons[reason] ?? 0) + 1;
  const isUnexplained = differences.some(({ reason }) => reason === null);
  const isEqual = differences.length === 0;
  const entriesOfCase = differences.map((difference) => ({ case: id, ...difference }));
  const all = [...check.entries, ...entriesOfCase];
  const entries = [...all.filter(({ reason }) => reason === null), ...all.filter(({ reason }) => reason !== null)];
  return {
    ...without(check, id),
    equal: check.equal + (isEqual && !isRepaired ? 1 : 0),
    repaired: check.repaired + (isEqual && isRepaired ? 1 : 0),
    explained: check.explained + (isEqual || isUnexplained ? 0 : 1),
    unexplained: check.unexplained + (isUnexplained ? 1 : 0),
    reasons,
    entries: entries.slice(0, MOST_ENTRIES),
    stories: isEqual ? check.stories : withStory(check.stories, { id, story, isUnexplained }),
  };
}

/** Keeps a story while there is room; one of an unexplained case always finds some. */
function withStory(
  stories: CheckState['stories'],
  {
    id,
    story,
    isUnexplained,
  }: { readonly id: string; readonly story: CheckedCase['story']; readonly isUnexplained: boolean },
): CheckState['stories'] {
  const storedEvents = Object.values(stories).reduce((sum, events) => sum + events.length, 0);
  if (storedEvents + story.length > (isUnexplained ? 2 : 1) * MOST_TOLD) return stories;
  return { ...stories, [id]: story.map(({ at, what }) => ({ at, what })) };
}
