import type { Question } from '../../../../lib/import/proposal/proposal.ts';
import type { Numbers } from '../load-proposed.ts';
import { chanceOf } from './chance.ts';
import { changeLog } from './change-log.ts';
import { knownCases } from './help-desk.ts';
import { messageLog } from './message-log.ts';
import { snapshotLog } from './snapshot-log.ts';
import { ticketList } from './ticket-list.ts';
import { type Clockwork, clockwork, DAMAGES, LANGUAGES } from './writing.ts';
import type { Truth } from './written.ts';

/** A file that nobody described. */
export interface UnknownFile {
  readonly seed: number;
  readonly kind: string;
  readonly language: string;
  readonly damage: string;
  readonly clock: Clockwork;
  readonly bytes: Uint8Array;
  readonly table: readonly (readonly string[])[]; // its rows without what was damaged
  readonly expected: Numbers;
  readonly doubts: readonly string[];
  readonly isLost: boolean; // nobody could read it
  readonly answer: (question: Question) => unknown;
}

const STARTS = ['2025-01-06', '2025-04-07', '2025-11-10', '2026-04-06'].map((day) => Date.parse(`${day}T00:00:00Z`));
const WRITERS = { tickets: ticketList, activities: changeLog, messages: messageLog, snapshots: snapshotLog } as const;

/** Makes a file from a seed. */
export function unknownFile(seed: number): UnknownFile {
  const chance = chanceOf(seed);
  const language = chance.maybe(0.3) ? 'en' : chance.pick(LANGUAGES);
  const kind = chance.pick(['tickets', 'tickets', 'tickets', 'activities', 'messages', 'snapshots'] as const);
  const days = chance.maybe(0.15) ? 6 : 60;
  const size = chance.pick([12, 25, 60, 120]);
  const clock = clockwork(chance, language);
  const isLost = clock.isLost === true; // of few times nothing shows it
  const cases = knownCases(chance, isLost ? Math.max(25, size) : size, chance.pick(STARTS), days);
  const { rows, truth, expected, doubts } = WRITERS[kind](chance, cases, { language, clock });
  const damage = chance.pick(DAMAGES);
  const text = rows.slice(1).flat().join('\n');
  const isOrderShown =
    clock.order === undefined ||
    clock.name.includes('.0') ||
    new RegExp(clock.order === 'day' ? /(^|\n)(1[3-9]|2\d|3[01])[/-]\d/ : /(^|\n)\d{1,2}\/(1[3-9]|2\d|3[01])\//).test(
      text,
    );
  return {
    ...{ seed, kind, language, clock, expected, damage: damage.name, table: rows, bytes: damage.encode(rows), isLost },
    doubts: [
      ...doubts,
      ...(clock.zoneIn === 'nowhere' ? ['zone'] : []),
      ...(isOrderShown ? [] : ['date order']),
      ...(isLost ? ['clock'] : []),
    ],
    answer: (question) => answerTo(question, truth, clock),
  };
}

function answerTo(
  { about, role, column = '', values = [], choices, id }: Question,
  truth: Truth,
  clock: Clockwork,
): unknown {
  const roleOf = (name: string): string | null =>
    Object.entries(truth.roles).find(
      ([one, named]) => named === name && choices.some(({ answer }) => answer === one),
    )?.[0] ?? null;
  switch (about) {
    case 'role':
      return truth.roles[role ?? ''] ?? null;
    case 'meaning':
      if (id === 'times') return Object.fromEntries(values.map(({ value }) => [value, roleOf(value)]));
      return Object.fromEntries(values.map(({ value }) => [value, truth.meanings[column]?.[value] ?? null]));
    case 'kind':
      return truth.kind;
    case 'clock':
      return clock.isLost ? '12h' : '24h';
    case 'zero':
      return 'none';
    case 'days':
      return 'leave';
    case 'date_order':
      return clock.order;
    case 'unit':
      return truth.units?.[column] ?? null;
    case 'zone':
      return clock.zone;
    case 'priority_scale':
      return truth.priorityScale;
    case 'ended_when':
      return choices.some((choice) => choice.answer === truth.ended) ? truth.ended : 'unknown';
    case 'repeated':
      return truth.kind === 'tickets' ? 'newest' : 'log';
    default:
      throw new Error(`no answer to ${id}`);
  }
}
