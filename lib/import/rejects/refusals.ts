import { NEW_SITE, type Site } from '../../access/site-fields.ts';
import { type HistoryEvent, isOfAgent } from '../../history/cases/event.ts';
import { shown } from '../../json-readers.ts';
import type { ReferenceRecord } from '../records/reference-record.ts';

/** Checks scores against the rating scale of the site, which a site record in the file may change for what follows. */
export interface RatingCheck {
  /** Takes the scale from a record, if the record sets it. */
  readonly follow: (record: ReferenceRecord) => void;
  /** Returns why a well-formed event does not fit the site; undefined if it fits. */
  readonly refuse: (event: HistoryEvent) => string | undefined;
}

/** Starts with the scale that the site has before the import. */
export function newRatingCheck(rating: Site['rating']): RatingCheck {
  let current = rating;
  return {
    follow: (record) => {
      if (record.type === 'site' && record.change.rating !== undefined)
        current = record.change.rating ?? NEW_SITE.rating;
    },
    refuse: (event) => misfit(event, current),
  };
}

/** Returns why an event does not fit a site: its score is not on the site's scale (docs/import.md). */
function misfit(event: HistoryEvent, rating: Site['rating']): string | undefined {
  if (event.type !== 'csat.rated' || event.score === null) return undefined;
  const fits = rating === 'yes_no' ? event.score <= 1 : event.score >= 1;
  if (fits) return undefined;
  return `score: ${event.score} is not ${rating === 'yes_no' ? '0 or 1' : '1 to 4'}, as the site rates ${rating}`;
}

/** Returns the reason why an event is refused if a stored event has its id. */
export function conflict(event: HistoryEvent): string {
  const owner = isOfAgent(event) ? `agent ${event.agent}` : `case ${event.case}`;
  return `id: ${shown(event.id)} is already the id of another event of ${owner}, which stays`;
}
