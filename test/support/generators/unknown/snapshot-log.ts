import type { Chance } from './chance.ts';
import type { KnownCase, State } from './help-desk.ts';
import { newTable, zoned } from './table.ts';
import { wordsOf } from './writing.ts';
import { counted, isShared, mean, type Style, type Written } from './written.ts';

interface Snapshot {
  readonly one: KnownCase;
  readonly at: number;
  readonly state: State;
}

const STATES: readonly State[] = ['new', 'open', 'pending', 'resolved', 'closed'];

/** Writes cases as a log with a row for the state after each change. */
export function snapshotLog(chance: Chance, cases: readonly KnownCase[], style: Style): Written {
  const table = newTable<Snapshot>(chance, style);
  const { statuses } = wordsOf(style.language);
  const words = new Map(
    STATES.map((state) => [
      state,
      chance.pick((statuses[state] ?? []).filter((one) => !isShared(statuses, state, one))),
    ]),
  );
  table.add('case', table.name('case'), ({ one }) => one.id);
  table.add('at', zoned(table.name('updated'), style), ({ at }) => table.time(at));
  if (chance.maybe(0.5)) table.add('created', table.name('created'), ({ one }) => table.time(one.created));
  const status = table.add('status', table.name('status'), ({ state }) => words.get(state) ?? '');
  table.meanings[status] = Object.fromEntries([...words].map(([state, word]) => [word, state]));
  const hasAgent = chance.maybe(0.7);
  if (hasAgent) table.add('assignee', table.name('assignee'), ({ one }) => one.agent);
  if (chance.maybe(0.4)) table.add(undefined, table.name('due'), ({ one }) => table.time(one.created + 86_400_000));
  const states = new Map(cases.map((one) => [one, statesOf(one)]));
  const count = (holds: (was: State, is: State) => boolean): number =>
    [...states.values()].reduce(
      (sum, all) =>
        sum + all.filter(({ state }, index) => index > 0 && holds(all[index - 1]?.state ?? 'new', state)).length,
      0,
    );
  const isDone = (state: State): boolean => state === 'resolved' || state === 'closed';
  const last = cases.flatMap((one) => {
    const at = one.steps.filter(({ what }) => what === 'resolved').at(-1)?.at;
    return at === undefined ? [] : [(at - one.created) / 1_000];
  });
  return {
    rows: table.rows([...states.values()].flat()),
    truth: { kind: 'snapshots', roles: table.roles, meanings: table.meanings },
    doubts: table.doubts,
    expected: {
      creates: cases.length,
      created: cases.reduce((sum, { created }) => sum + created / 1_000, 0),
      resolves: count((was, is) => !isDone(was) && isDone(is)),
      reopens: count((was, is) => isDone(was) && !isDone(is)),
      resolved: last.length,
      resolution: mean(last),
      open: cases.filter(({ done }) => done === undefined).length,
      agents: hasAgent ? counted(cases.map(({ agent }) => agent)) : {},
    },
  };
}

function statesOf(one: KnownCase): Snapshot[] {
  const found: Snapshot[] = [{ one, at: one.created, state: 'new' }];
  for (const { at, what } of one.steps) {
    const state = what === 'reopened' ? 'open' : STATES.find((each) => each === what);
    if (state !== undefined) found.push({ one, at, state });
  }
  return found;
}
