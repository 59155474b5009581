import { NEW_SITE, type Site } from '../access/sites.ts';
import { type HistoryEvent, isOfAgent } from '../history/cases/event.ts';
import { shown } from './records/fields.ts';
import type { ReferenceRecord } from './records/reference-record.ts';

/** Checks events against how their site rates, as of where they stand among its records. */
export interface RatingCheck {
  /** Goes on with the rating that a record sets. */
  readonly follow: (record: ReferenceRecord) => void;
  /** Why a well-formed event is not for the site; undefined: it is. */
  readonly refuse: (event: HistoryEvent) => string | undefined;
}

/** Starts with the rating that the site has before the records. */
export function newRatingCheck(rating: Site['rating']): RatingCheck {
  let current = rating;
  return {
    follow: (record) => {
      if (record.type === 'site' && record.rating !== undefined) current = record.rating ?? NEW_SITE.rating;
    },
    refuse: (event) => misfit(event, current),
  };
}

/** Why a well-formed event is not for a site: a score that its rating does not know (docs/import.md). */
function misfit(event: HistoryEvent, rating: Site['rating']): string | undefined {
  if (event.type !== 'csat.rated' || event.score === null) return undefined;
  const fits = rating === 'yes_no' ? event.score <= 1 : event.score >= 1;
  if (fits) return undefined;
  return `score: ${event.score} is not ${rating === 'yes_no' ? '0 or 1' : '1 to 4'}, as the site rates ${rating}`;
}

/** Why an event is refused whose id another has already. */
export function conflict(event: HistoryEvent): string {
  const owner = isOfAgent(event) ? `agent ${event.agent}` : `case ${event.case}`;
  return `id: ${shown(event.id)} is already the id of another event of ${owner}, which stays`;
}
