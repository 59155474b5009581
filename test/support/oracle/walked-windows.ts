import type { WindowSize } from '../../../lib/insights/windows.ts';

interface Walk {
  readonly min: number; // s, inclusive
  readonly max: number; // s, exclusive
  readonly size: Exclude<WindowSize, 'none'>;
  readonly zone: string; // IANA
  readonly weekStart: number; // 0 for Monday … 6
}

/** The windows that overlap a range, as [start, label], found by walking the clock in quarters of an hour. */
export function walkedWindows({ min, max, size, zone, weekStart }: Walk): [number, string][] {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  const boundaries: [number, string][] = [];
  let last = '';
  const before = { hour: 2, day: 3, week: 16, month: 70 }[size]; // days
  for (let second = Math.floor(min / 900) * 900 - before * 86_400; second < max; second += 900) {
    const text = clock.format(second * 1000);
    const period = size === 'hour' ? hourOf(text, second) : dateOf(text, size, weekStart);
    if (size === 'hour' ? period !== last : period > last) {
      boundaries.push([second, text]);
      last = period;
    }
  }
  return boundaries.filter((_, place) => (boundaries[place + 1]?.[0] ?? Number.POSITIVE_INFINITY) > min);
}

/** The hour of the clock with its offset, since the clock may show an hour twice. */
function hourOf(text: string, second: number): string {
  const utc = Date.parse(`${text.replace(' ', 'T')}Z`) / 1000;
  return `${text.slice(0, 13)} at ${utc - second}`;
}

/** The first date of the day, week or month. */
function dateOf(text: string, size: 'day' | 'week' | 'month', weekStart: number): string {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  if (size === 'week') day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6 - weekStart) % 7));
  if (size === 'month') day.setUTCDate(1);
  return day.toISOString().slice(0, 10);
}
