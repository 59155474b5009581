import type { Chance } from './chance.ts';

/** A known history: what a file is written from, and what its numbers are counted from. All times are whole minutes. */
export interface KnownCase {
  readonly id: string;
  readonly created: number; // ms
  readonly channel: string;
  readonly priority: Level;
  readonly agent: string;
  readonly group: string;
  readonly requester: string;
  readonly company: string;
  readonly steps: readonly Step[]; // rising in time, at least a minute apart
  readonly status: State; // at present
  readonly done: number | undefined; // ms of the last resolve, if the case is done
  readonly closed: number | undefined;
  readonly replied: number | undefined; // ms of the first reply
  readonly updated: number;
  readonly rating: 'good' | 'bad' | undefined;
}

export const LEVELS = ['low', 'normal', 'high', 'urgent'] as const;
export type Level = (typeof LEVELS)[number];
export type State = 'new' | 'open' | 'pending' | 'resolved' | 'closed';
export type What = 'inbound' | 'outbound' | 'note' | 'assigned' | 'ignored' | 'reopened' | State;

export interface Step {
  readonly at: number;
  readonly what: What;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
const AGENTS = ['Ann Bell', 'Bo Chen', 'Cid Diaz', 'Dee Eck', 'Eli Fox', 'Flo Gray', 'Gus Hill'];
const GROUPS = ['Tier 1', 'Tier 2', 'Billing'];
const COMPANIES = ['Acme', 'Bolt', 'Crane', 'Dyn', 'Elm'];

/** Makes the cases of a help desk. `days`: the span of their creations. */
export function knownCases(chance: Chance, count: number, start: number, days: number): KnownCase[] {
  const agents = chance.some(AGENTS, 3 + chance.int(4));
  const groupOf = new Map(agents.map((agent) => [agent, chance.pick(GROUPS)]));
  const first = 1_000 + chance.int(90_000);
  return Array.from({ length: count }, (_, index) => {
    const created = start + Math.floor(chance.next() * days * 1_440) * MINUTE;
    const agent = chance.pick(agents);
    const story = storyOf(chance, created);
    return {
      id: String(first + index),
      created,
      agent,
      group: groupOf.get(agent) ?? 'Tier 1',
      channel: chance.pick(['Email', 'Phone', 'Chat']),
      priority: chance.pick(LEVELS),
      requester: `Customer ${chance.int(count * 2)}`,
      company: chance.pick(COMPANIES),
      rating: story.done !== undefined && chance.maybe(0.4) ? (chance.maybe(0.8) ? 'good' : 'bad') : undefined,
      ...story,
    };
  });
}

type Story = Pick<KnownCase, 'steps' | 'status' | 'done' | 'closed' | 'replied' | 'updated'>;

function storyOf(chance: Chance, created: number): Story {
  const steps: Step[] = [{ at: created, what: 'inbound' }];
  let at = created;
  const later = (most: number): number => {
    at += (1 + chance.int(most)) * MINUTE;
    return at;
  };
  const add = (what: What, most = 600): void => void steps.push({ at: later(most), what });
  let status: State = 'new';
  let [done, closed]: (number | undefined)[] = [];
  if (chance.maybe(0.92)) {
    add('assigned');
    if (chance.maybe(0.3)) add('ignored');
    add('outbound');
    status = 'open';
    add('open', 5);
    if (chance.maybe(0.4)) add('note');
    if (chance.maybe(0.4)) {
      add('pending');
      status = 'pending';
      if (chance.maybe(0.7)) {
        add('inbound', 2_000);
        add('outbound');
      }
    }
    if (chance.maybe(0.7)) {
      add('resolved', 3_000);
      [status, done] = ['resolved', at];
      if (chance.maybe(0.15)) {
        add('reopened', 2_000);
        [status, done] = ['open', undefined];
        if (chance.maybe(0.7)) {
          add('resolved', 3_000);
          [status, done] = ['resolved', at];
        }
      }
      if (status === 'resolved' && chance.maybe(0.5)) {
        add('closed', 5_000);
        [status, closed] = ['closed', at];
      }
    }
  }
  return {
    steps,
    status,
    done,
    closed,
    replied: steps.find(({ what }) => what === 'outbound')?.at,
    updated: Math.min(at, created + 60 * DAY),
  };
}
