import type * as z from 'zod';
import { type Dictionary, dimensionNamed, isDimensionName } from '../../lib/insights/dimensions.ts';
import { fieldNamed, isFieldName } from '../../lib/insights/fields.ts';
import type { Meta } from '../../lib/insights/meta.ts';
import type { reportShape } from '../../lib/insights/report.ts';
import { columns } from './columns.ts';

type Report = z.infer<ReturnType<typeof reportShape>>;
type Cell = string | number | null;

/** The part of meta that names a dimension's members. */
const NAMED_BY: Readonly<
  Partial<Record<Dictionary, 'agents' | 'groups' | 'channels' | 'labels' | 'macros' | 'custom_fields'>>
> = {
  agents: 'agents',
  groups: 'groups',
  channels: 'channels',
  labels: 'labels',
  macros: 'macros',
  customValues: 'custom_fields',
};

/** How a table is to be read. */
export interface TableOptions {
  readonly zone: string; // that windows are cut in
  readonly human: boolean; // durations as `2d 3h` instead of seconds
}

/** A report as an aligned table: columns that nobody asked for left out, members by name, numbers to the right. */
export function reportTable({ request, header, data }: Report, meta: Meta, { zone, human }: TableOptions): string {
  const wanted = header.map((_, place) => place >= 3 || data.some((row) => row[place] !== null));
  const keep = <T>(row: readonly T[]): T[] => row.filter((_, place) => wanted[place]);
  const titles = header.map((name, place) => titleOf(name, place, request, human));
  const decimals = header.map((_, place) => data.reduce((most, row) => Math.max(most, decimalsOf(row[place])), 0));
  const rows = data.map((row) =>
    row.map((cell, place) => {
      if (cell === null) return place < 3 ? '' : '-';
      if (place === 1 || place === 2) return memberName(cell, request[`dimension${place}`], meta);
      return show(cell, human && unitOf(header[place] ?? '') === 'seconds', decimals[place] ?? 0);
    }),
  );
  const right = keep(header.map((_, place) => place >= 3));
  const shown = rows.length === 0 ? 'No rows.' : columns(keep(titles), rows.map(keep), right);
  return `${shown}\n\nTimes in ${zone}.`;
}

function titleOf(name: string, place: number, request: Report['request'], human: boolean): string {
  if (place === 0) return 'window';
  if (place < 3) return String(request[`dimension${place}`] ?? '');
  const unit = unitOf(name);
  return unit === 'percent' ? `${name} %` : unit === 'seconds' && !human ? `${name} s` : name;
}

/** A number with as many decimals as the others of its column, so that their points stand below one another. */
function show(cell: string | number, isDuration: boolean, decimals: number): string {
  if (typeof cell === 'string') return cell;
  return isDuration ? duration(cell) : cell.toLocaleString('en-US', { minimumFractionDigits: decimals });
}

const decimalsOf = (cell: Cell | undefined): number =>
  typeof cell === 'number' ? (String(cell).split('.')[1] ?? '').length : 0;

const unitOf = (name: string): string | undefined => (isFieldName(name) ? fieldNamed(name).unit : undefined);

function memberName(member: string | number, dimension: unknown, meta: Meta): string {
  const kind = isDimensionName(dimension) ? NAMED_BY[dimensionNamed(dimension).members] : undefined;
  const name = (kind && meta[kind][String(member)]?.name) ?? String(member);
  return name.replaceAll(/\p{Cc}/gu, ' '); // else a line break or a terminal's command would break the table
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** `187265` seconds as `2d 4h`: the two largest units. */
export function duration(seconds: number): string {
  let left = Math.round(seconds);
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0 || parts.length > 0) parts.push(`${count}${unit}`);
  }
  return parts.slice(0, 2).join(' ') || '0s';
}
