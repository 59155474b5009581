import type { Chance } from './chance.ts';
import type { KnownCase, What } from './help-desk.ts';
import { noteColumn } from './message-log.ts';
import { newTable, type Table, zoned } from './table.ts';
import { wordsOf } from './writing.ts';
import { isShared, mean, type Style, type Written } from './written.ts';

type Activity = What | 'created';
interface Row {
  readonly one: KnownCase;
  readonly at: number;
  readonly what: Activity;
}

const ACTIVITIES: readonly Activity[] = [
  'created',
  'inbound',
  'outbound',
  'note',
  'assigned',
  'open',
  'pending',
  'resolved',
  'closed',
  'reopened',
  'ignored',
];
const OWN: Readonly<Record<string, string>> = {
  resolved: 'Wrapped up',
  closed: 'Ticket closed by bot',
  reopened: 'Back in play',
  outbound: 'Told the person',
  inbound: 'Person told us',
  ignored: 'Frobnicated',
};

/** Writes cases as a log with a row for each thing that happened. */
export function changeLog(chance: Chance, cases: readonly KnownCase[], style: Style): Written {
  const table = newTable<Row>(chance, style);
  const words = activityWords(table);
  const isMarked = chance.maybe(0.2); // notes have the activity of messages, and a column that marks them
  const wordOf = (what: Activity): string => words.get(isMarked && what === 'note' ? 'outbound' : what) ?? '';
  const isFirstTold = chance.maybe(0.5); // else the creation alone is told, without the message that made it
  const rows = cases.flatMap((one): Row[] => [
    { one, at: one.created, what: 'created' },
    ...one.steps.slice(isFirstTold ? 0 : 1).map(({ at, what }) => ({ one, at, what })),
  ]);
  table.add('case', table.name('case'), ({ one }) => one.id);
  const activity = table.add('activity', table.name('activity'), ({ what }) => wordOf(what));
  table.meanings[activity] = Object.fromEntries(
    [...words]
      .filter(([what]) => !isMarked || what !== 'note')
      .map(([what, word]) => [word, what === 'ignored' ? null : what]),
  );
  if (isMarked) noteColumn(table);
  table.add('at', zoned(table.name('at'), style), ({ at }) => table.time(at));
  const isCustomer = (what: Activity): boolean => what === 'created' || what === 'inbound';
  if (chance.maybe(0.6))
    table.add('actor', table.name('author'), ({ one, what }) => (isCustomer(what) ? one.requester : one.agent));
  if (chance.maybe(0.3)) table.add(undefined, table.name('due'), ({ one }) => table.time(one.created + 86_400_000));
  const shuffled = chance.maybe(0.5)
    ? rows
    : rows
        .map((row, index) => ({ row, index }))
        .sort((a, b) => (a.index % 17) - (b.index % 17))
        .map(({ row }) => row);
  return {
    rows: table.rows(shuffled),
    truth: { kind: 'activities', roles: table.roles, meanings: table.meanings },
    doubts: table.doubts,
    expected: expectedOf(cases),
  };
}

function activityWords({ chance, style, doubts }: Table<Row>): ReadonlyMap<Activity, string> {
  const { activities } = wordsOf(style.language);
  const words = new Map<Activity, string>();
  for (const what of ACTIVITIES) {
    const list = (activities[what] ?? []).filter((one) => !isShared(activities, what, one));
    const isOwn = what in OWN && chance.maybe(0.06);
    if (isOwn) doubts.push(`own word for ${what}`);
    words.set(what, isOwn || list.length === 0 ? (OWN[what] ?? 'Created') : chance.pick(list));
  }
  return words;
}

function expectedOf(cases: readonly KnownCase[]): Written['expected'] {
  const happened = (what: What): number =>
    cases.reduce((sum, { steps }) => sum + steps.filter((step) => step.what === what).length, 0);
  const last = cases.flatMap(({ steps, created }) => {
    const at = steps.filter(({ what }) => what === 'resolved').at(-1)?.at;
    return at === undefined ? [] : [(at - created) / 1_000];
  });
  return {
    creates: cases.length,
    created: cases.reduce((sum, { created }) => sum + created / 1_000, 0),
    resolves: happened('resolved'),
    resolved: last.length,
    reopens: happened('reopened'),
    open: cases.filter(({ done }) => done === undefined).length,
    inbound: happened('inbound'),
    outbound: happened('outbound'),
    notes: happened('note'),
    resolution: mean(last),
    response: mean(
      cases.flatMap(({ replied, created }) => (replied === undefined ? [] : [(replied - created) / 1_000])),
    ),
  };
}
