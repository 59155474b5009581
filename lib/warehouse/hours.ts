import type { Calendar } from '../access/calendars.ts';
import { workTime } from '../insights/promises/work-time.ts';
import type { Range } from '../insights/windows.ts';
import type { ColumnValues } from './columns.ts';

const DAY = 86_400; // s

/** The rows of the table `hours` over the days of a range: each day of each calendar in parts of work and of rest. */
export function hourValues(site: string, calendars: readonly Calendar[], { min, max }: Range): ColumnValues {
  const rows: (readonly [calendar: number, since: number, until: number, works: number, before: number])[] = [];
  const [first, last] = [Math.floor(min / DAY) * DAY, Math.ceil(max / DAY) * DAY];
  for (const calendar of min < max ? calendars : []) {
    const { starts, ends, before } = workTime(calendar, first, last);
    let worked = 0;
    const add = (from: number, to: number, works: 0 | 1): void => {
      for (let at = from; at < to; ) {
        const until = Math.min(to, Math.floor(at / DAY) * DAY + DAY);
        rows.push([calendar.id, at, until, works, worked]);
        worked += works * (until - at);
        at = until;
      }
    };
    let at = first;
    for (let span = 0; span < before.length; span += 1) {
      add(at, starts[span] ?? at, 0);
      add(starts[span] ?? at, ends[span] ?? at, 1);
      at = ends[span] ?? at;
    }
    add(at, last, 0);
  }
  const column = (of: (row: (typeof rows)[number]) => number): bigint[] => rows.map((row) => BigInt(of(row)));
  return {
    site: rows.map(() => site),
    calendar: column(([calendar]) => calendar),
    day: column(([, since]) => Math.floor(since / DAY)),
    since: column(([, since]) => since),
    until: column(([, , until]) => until),
    works: column(([, , , works]) => works),
    before: column(([, , , , before]) => before),
  };
}
