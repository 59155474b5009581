import { certain } from '../certain.ts';

/** The months of the warehouse's files, as `2026-03`, in UTC: one cut for all sites. */
export type Month = string;

const YEARS = { first: 1970, last: 2200 }; // records are accepted from 1970 to 2199 only
const STARTS = Float64Array.from(
  { length: (YEARS.last - YEARS.first) * 12 + 1 },
  (_, month) => Date.UTC(YEARS.first, month) / 1000,
);

/** The number of the month of a second since 1970; neighbours mostly lie in the same month. */
export function monthFinder(): (second: number) => number {
  let month = 0;
  return (second) => {
    if (second >= certain(STARTS[month]) && second < certain(STARTS[month + 1])) return month;
    let [low, high] = [0, STARTS.length - 2];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (certain(STARTS[middle]) <= second) low = middle;
      else high = middle - 1;
    }
    month = low;
    return month;
  };
}

/** The name of a month by its number. */
export const monthName = (month: number): Month =>
  `${YEARS.first + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
