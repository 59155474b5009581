import type { Chance } from './chance.ts';
import type { KnownCase, Step } from './help-desk.ts';
import { newTable, type Table, zoned } from './table.ts';
import { wordsOf } from './writing.ts';
import { isShared, mean, type Style, type Written } from './written.ts';

interface Message extends Step {
  readonly one: KnownCase;
}
type Way = 'inbound' | 'outbound' | 'note';
type MessageTable = Table<Message>;

const MADE: Readonly<Record<Way, readonly string[]>> = {
  inbound: ['Blue', 'Sent by our customer', '1'],
  outbound: ['Green', 'Sent by one of us', '2'],
  note: ['Red', 'Between us', '3'],
};

/** Writes the messages of cases, one a row. */
export function messageLog(chance: Chance, cases: readonly KnownCase[], style: Style): Written {
  const table = newTable<Message>(chance, style);
  const noteWay = chance.pick(['value', 'column', 'none'] as const);
  const told = cases.flatMap((one) => messagesOf(one, noteWay !== 'none'));
  table.add('case', table.name('case'), ({ one }) => one.id);
  let id = 5_000;
  if (chance.maybe(0.6)) {
    table.add('message', 'Message ID', () => {
      id += 1;
      return String(id);
    });
  }
  directionColumn(table, noteWay === 'value');
  table.add('at', zoned(table.name('at'), style), ({ at }) => table.time(at));
  if (noteWay === 'column') noteColumn(table);
  if (chance.maybe(0.6))
    table.add('actor', table.name('author'), ({ one, what }) => (what === 'inbound' ? one.requester : one.agent));
  const count = (is: Way): number => told.filter(({ what }) => what === is).length;
  return {
    rows: table.rows(told),
    truth: { kind: 'messages', roles: table.roles, meanings: table.meanings },
    doubts: table.doubts,
    expected: {
      creates: cases.length,
      created: cases.reduce((sum, { created }) => sum + created / 1_000, 0),
      resolves: 0,
      open: cases.length,
      inbound: count('inbound'),
      outbound: count('outbound'),
      notes: count('note'),
      response: mean(
        cases.flatMap(({ replied, created }) => (replied === undefined ? [] : [(replied - created) / 1_000])),
      ),
    },
  };
}

function messagesOf(one: KnownCase, withNotes: boolean): Message[] {
  const counts = (what: string): boolean => what === 'inbound' || what === 'outbound' || (withNotes && what === 'note');
  return one.steps.filter(({ what }) => counts(what)).map((step) => ({ ...step, one }));
}

function directionColumn({ chance, style, add, name, meanings, doubts }: MessageTable, hasNotes: boolean): void {
  const { directions } = wordsOf(style.language);
  const way = chance.pick(['words', 'words', 'words', 'booleans', 'made'] as const);
  const word = (is: Way): string => {
    if (way === 'booleans' && is !== 'note') return String(is === 'inbound');
    return way === 'made'
      ? chance.pick(MADE[is])
      : chance.pick((directions[is] ?? []).filter((one) => !isShared(directions, is, one)));
  };
  const isBoolean = way === 'booleans' && !hasNotes;
  if (way === 'made' || (way === 'booleans' && hasNotes)) doubts.push('own words');
  const words = { inbound: word('inbound'), outbound: word('outbound'), note: word('note') };
  const isWay = (what: string): what is Way => what in words;
  const header = add('direction', isBoolean ? 'Incoming' : name('direction'), ({ what }) =>
    isWay(what) ? words[what === 'note' && !hasNotes ? 'outbound' : what] : '',
  );
  meanings[header] = {
    [words.inbound]: 'inbound',
    [words.outbound]: 'outbound',
    ...(hasNotes ? { [words.note]: 'note' } : {}),
  };
}

/** Columns that mark notes; of the last ones the name says nothing. */
const NOTE_COLUMNS: readonly (readonly [header: string, note: string, message: string])[] = [
  ['Private', 'true', 'false'],
  ['Public', 'no', 'yes'],
  ['Visibility', 'internal', 'public'],
  ['Is internal', '1', '0'],
  ['Qwx 3', 'true', 'false'],
  ['Qwx 4', 'No', 'Yes'],
];

/** Adds a column that says which messages are notes. */
export function noteColumn<T extends { readonly what: string }>({ chance, add, meanings, doubts }: Table<T>): void {
  const [header, note, message] = chance.pick(NOTE_COLUMNS);
  if (header.startsWith('Qwx')) doubts.push('unknown header');
  add('note', header, ({ what }) => (what === 'note' ? note : message));
  meanings[header] = { [note]: true, [message]: false };
}
