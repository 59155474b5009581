import { LANGUAGES as WORDS } from '../../../../lib/import/language/languages.ts';
import { MONTH_NAMES } from '../../../../lib/import/language/time-parts.ts';
import type { Chance } from './chance.ts';

export const LANGUAGES = Object.keys(WORDS);
type Lists = Readonly<Record<string, readonly string[]>>;
interface Words {
  readonly headers: Lists;
  readonly statuses: Lists;
  readonly priorities: Lists;
  readonly directions: Lists;
  readonly activities: Lists;
  readonly ratings: Lists;
}
const ALL: Readonly<Record<string, Words>> = WORDS;

/** The words of one language. */
export function wordsOf(language: string): Words {
  const found = ALL[language];
  if (found === undefined) throw new Error(`no words of ${language}`);
  return found;
}

/** How a file writes times. `order`: what it needs to be read, unless the days prove it. */
export interface Clockwork {
  readonly name: string;
  readonly write: (at: number) => string;
  readonly precision: number; // ms: times are cut to it
  readonly zone: string; // of the file
  readonly zoneIn: 'value' | 'header' | 'nowhere';
  readonly order: 'day' | 'month' | undefined;
  readonly isLost?: boolean; // it has lost AM and PM: no file can be read
  readonly day?: (at: number) => string; // the day alone
}

const ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'America/Sao_Paulo', 'Asia/Kolkata'];
const two = (number: number): string => String(number).padStart(2, '0');

interface Wall {
  readonly y: number;
  readonly mo: number;
  readonly d: number;
  readonly h: number;
  readonly mi: number;
}

/** The wall clock of a zone by `Intl`, which the product's reader does not use in this direction. */
function wallOf(at: number, zone: string): Wall {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    },
  }).formatToParts(at);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
  return { y: part('year'), mo: part('month'), d: part('day'), h: part('hour'), mi: part('minute') };
}

const half = ({ h, mi }: Wall, names: readonly [string, string]): string =>
  `${h % 12 === 0 ? 12 : h % 12}:${two(mi)} ${names[h < 12 ? 0 : 1]}`;
const clock = ({ h, mi }: Wall): string => `${two(h)}:${two(mi)}`;

type Writer = readonly [name: string, order: 'day' | 'month' | undefined, write: (wall: Wall, month: string) => string];
const BARE: readonly Writer[] = [
  ['2026-03-01 09:00', undefined, (w) => `${w.y}-${two(w.mo)}-${two(w.d)} ${clock(w)}`],
  ['2026-03-01T09:00:00', undefined, (w) => `${w.y}-${two(w.mo)}-${two(w.d)}T${clock(w)}:00`],
  ['2026/03/01 09:00', undefined, (w) => `${w.y}/${two(w.mo)}/${two(w.d)} ${clock(w)}`],
  ['01/03/2026 09:00', 'day', (w) => `${two(w.d)}/${two(w.mo)}/${w.y} ${clock(w)}`],
  ['03/01/2026 09:00', 'month', (w) => `${two(w.mo)}/${two(w.d)}/${w.y} ${clock(w)}`],
  ['3/1/2026 9:00 AM', 'month', (w) => `${w.mo}/${w.d}/${w.y} ${half(w, ['AM', 'PM'])}`],
  ['3/1/26 9:00', 'month', (w) => `${w.mo}/${w.d}/${w.y % 100} ${w.h}:${two(w.mi)}`],
  ['1/3/2026 9:00 p. m.', 'day', (w) => `${w.d}/${w.mo}/${w.y} ${half(w, ['a. m.', 'p. m.'])}`],
  ['01.03.2026 09:00', 'day', (w) => `${two(w.d)}.${two(w.mo)}.${w.y} ${clock(w)}`],
  ['01-03-2026 09:00', 'day', (w) => `${two(w.d)}-${two(w.mo)}-${w.y} ${clock(w)}`],
  ['1 Mar 2026 09:00', undefined, (w, month) => `${w.d} ${month} ${w.y} ${clock(w)}`],
  ['1-Mar-26 09:00', undefined, (w, month) => `${w.d}-${month}-${two(w.y % 100)} ${clock(w)}`],
  ['Mar 1, 2026 9:00 AM', undefined, (w, month) => `${month} ${w.d}, ${w.y} ${half(w, ['AM', 'PM'])}`],
  ['46080.375', undefined, (w) => String(Date.UTC(w.y, w.mo - 1, w.d, w.h, w.mi) / 86_400_000 + 25_569)],
];

const LOST: Writer = [
  '2026-03-01 09:00 without PM',
  undefined,
  (w) => `${w.y}-${two(w.mo)}-${two(w.d)} ${two(w.h % 12 === 0 ? 12 : w.h % 12)}:${two(w.mi)}`,
];

/** Chooses how a file writes its times. */
export function clockwork(chance: Chance, language: string): Clockwork {
  const zone = chance.pick(ZONES);
  if (chance.maybe(0.3)) {
    const [name, write] = chance.pick<readonly [string, (at: number) => string]>([
      ['…Z', (at) => new Date(at).toISOString().replace('.000', '')],
      ['+0000', (at) => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}.000 +0000`],
      ['UTC', (at) => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`],
      ['epoch', (at) => String(at / 1_000)],
      [
        'GMT+0100',
        (at) =>
          `${new Date(at + 3_600_000).toUTCString().replace(/^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/, '$1 $3 $2 $4 $5')} GMT+0100 (CET)`,
      ],
    ]);
    return { name, write, precision: 60_000, zone: 'UTC', zoneIn: 'value', order: undefined };
  }
  const [name, order, write] = chance.maybe(0.04) ? LOST : chance.pick(BARE);
  const months = MONTH_NAMES.map((names) => names.filter((one) => isOf(language, one)));
  const monthOf = (number: number): string => months[number - 1]?.at(-1) ?? MONTH_NAMES[number - 1]?.[1] ?? '';
  return {
    ...{ name, zone, order, precision: 60_000 },
    write: (at) => {
      const wall = wallOf(at, zone);
      return write(wall, monthOf(wall.mo));
    },
    ...(name === LOST[0] ? { isLost: true } : {}),
    ...(order === undefined && name.startsWith('2026-')
      ? { day: (at) => write(wallOf(at, zone), '').slice(0, 10) }
      : {}),
    zoneIn: chance.maybe(0.65) ? 'header' : 'nowhere',
  };
}

/** Latin names for every language but the one that writes others. */
const isOf = (language: string, name: string): boolean =>
  language === 'ru' ? /^[а-я]{3}$/.test(name) : /^[a-z]{3}$/.test(name);

/** Damage that programs do to a table. */
export interface Damage {
  readonly name: string;
  readonly encode: (rows: readonly (readonly string[])[]) => Uint8Array;
}

const quoted = (cell: string, separator: string): string =>
  cell.includes(separator) || /["\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
const lines = (rows: readonly (readonly string[])[], separator: string, end = '\n'): string =>
  `${rows.map((row) => row.map((cell) => quoted(cell, separator)).join(separator)).join(end)}${end}`;
const plain = (rows: readonly (readonly string[])[]): Uint8Array => Buffer.from(lines(rows, ','));

export const DAMAGES: readonly Damage[] = [
  { name: 'none', encode: plain },
  { name: 'none', encode: plain },
  { name: 'semicolons', encode: (rows) => Buffer.from(lines(rows, ';', '\r\n')) },
  { name: 'tabs', encode: (rows) => Buffer.from(lines(rows, '\t')) },
  { name: 'sep=', encode: (rows) => Buffer.from(`sep=;\r\n${lines(rows, ';', '\r\n')}`) },
  { name: 'mark', encode: (rows) => Buffer.from(`\uFEFF${lines(rows, ',')}`) },
  { name: 'UTF-16', encode: (rows) => Buffer.from(`\uFEFF${lines(rows, '\t', '\r\n')}`, 'utf16le') },
  {
    name: 'empty rows',
    encode: (rows) => Buffer.from(`${lines(rows, ',')}${`${','.repeat((rows[0]?.length ?? 1) - 1)}\n`.repeat(3)}`),
  },
  {
    name: 'trailing',
    encode: (rows) =>
      Buffer.from(
        lines(
          rows.map((row) => [...row, '']),
          ',',
        ),
      ),
  },
  {
    name: 'quotes',
    encode: (rows) =>
      Buffer.from(`${rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n')}`),
  },
  { name: 'footer', encode: (rows) => Buffer.from(`${lines(rows, ',')}"Generated by the help desk"\n`) },
  {
    name: 'total',
    encode: (rows) => {
      const total = ['Total', ...Array.from({ length: (rows[0]?.length ?? 1) - 1 }, () => '')];
      return plain([...rows.slice(0, 9), total, ...rows.slice(9)]);
    },
  },
  {
    name: 'header again',
    encode: (rows) => Buffer.from(lines([...rows.slice(0, 12), ...rows.slice(0, 1), ...rows.slice(12)], ',')),
  },
];
