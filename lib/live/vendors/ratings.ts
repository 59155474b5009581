import type { JsonFields } from '../../json-readers.ts';
import { idIn, timeIn } from '../call.ts';
import type { DeskSetting, ListedCase, ListFrom, ListPage } from '../desk.ts';
import { deskRecords, isoTime, type RawRecord, ratingOf } from '../records.ts';
import { numberedPage, numberedPlace } from './by-time.ts';

/** A help desk's list of ratings. */
interface RatingList {
  readonly path: string;
  readonly prefix: string; // of the ids of its events
  readonly caseField: string;
  readonly size: number; // ratings of a page
  /** A page of the ratings since a time (epoch ms), from 1; in any order. */
  readonly ask: (since: number, page: number) => Promise<readonly JsonFields[]>;
  /** Whether a rating is a good one; undefined: it says neither. */
  readonly isGood: (rating: JsonFields) => boolean | undefined;
  readonly setting: Pick<DeskSetting, 'rating'>;
}

/** A page of ratings, each stored as the list tells it; its case is read if nothing of it is stored. */
export async function ratingsPage(from: ListFrom, list: RatingList): Promise<ListPage> {
  const { path, prefix, caseField, size, setting } = list;
  const place = numberedPlace(from);
  const ratings = await list.ask(place.low, place.page);
  const cases = ratings.map(
    (rating): ListedCase => ({
      id: idIn(rating, caseField, path),
      changed: timeIn(rating, 'created_at', path),
      isRated: true,
    }),
  );
  const records = ratings.flatMap((rating): RawRecord[] => {
    const isGood = list.isGood(rating);
    if (isGood === undefined) return [];
    const at = isoTime(timeIn(rating, 'created_at', path));
    const base = { id: `${prefix}:r:${idIn(rating, 'id', path)}`, at, case: idIn(rating, caseField, path) };
    return [{ type: 'csat.rated', ...base, score: ratingOf(isGood, setting) }];
  });
  return { ...numberedPage(place, cases, size), records: deskRecords(path, records) };
}
