import type { ListedCase, ListFrom, ListPage } from '../desk.ts';
import { OVERLAP } from './by-time.ts';

/** A page of a list that has the latest change first. */
interface NewestPage {
  readonly cases: readonly ListedCase[];
  readonly total: number | undefined; // cases of the whole list; undefined: not told
}

/** How far such a list is. Times in epoch ms. */
interface Place {
  readonly low: number; // earlier changes are not wanted
  readonly high: number; // the largest change as the list began
  readonly page: number; // to ask for; 0: the list has ended
  readonly isOld: boolean; // an earlier pull began it
  readonly total: number; // cases of the list at its last page
}

/**
 * The next page of a list that has the latest change first, until all of a page changed before what is wanted. The
 * cursor of the next pull is the largest time as this one began: what changes meanwhile goes to the top, which only
 * repeats others. Where cases are deleted meanwhile, others move up: the pages before are read again.
 */
export async function newestPage(from: ListFrom, ask: (page: number) => Promise<NewestPage>): Promise<ListPage> {
  const { low, high, page, isOld, total } = placeOf(from);
  const { cases, total: now = total } = await ask(page);
  const times = cases.map(({ changed }) => changed);
  const isSorted = times.every((time, nth) => nth === 0 || time <= Number(times[nth - 1]));
  const [first, last] = [Math.max(...times), Math.min(...times)];
  const isOver = cases.length === 0 || (isSorted ? last : first) < low;
  const largest = page === 1 && cases.length > 0 ? Math.max(high, first) : high;
  const lost = now < total ? Math.ceil((total - now) / Math.max(1, cases.length)) : 0;
  const next = lost > 0 ? Math.max(1, page - lost) : isOver ? 0 : page + 1;
  const cursor = [next === 0 ? largest : low, largest, next, isOld && next > 0 ? 'old' : '', now].join(' ');
  return { cases: cases.filter(({ changed }) => changed >= low), cursor, isLast: next === 0 && !isOld };
}

function placeOf({ since, cursor, begins }: ListFrom): Place {
  if (cursor === null) return { low: since, high: since, page: 1, isOld: false, total: 0 };
  const [low = '', high = '', page = '', age = '', total = ''] = cursor.split(' ');
  const place = {
    low: Number(low),
    high: Number(high),
    page: Number(page),
    isOld: age === 'old',
    total: Number(total),
  };
  if (place.page === 0) return { ...place, low: Math.max(0, place.high - OVERLAP), page: 1, isOld: false, total: 0 };
  return begins ? { ...place, page: Math.max(1, place.page - 1), isOld: true } : place;
}
