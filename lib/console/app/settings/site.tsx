import type { JSX } from 'preact';
import { WEEK_DAYS } from '../../../vocabulary.ts';
import { COUNT_RATED, ratedIn } from '../../model/settings/rating-change.ts';
import { words as capitalised, text } from '../../model/text.ts';
import { useQueued } from '../ask.ts';
import { useApp } from '../context.tsx';
import { Editor } from '../edit/editor.tsx';
import { type Resource, useResource } from '../edit/resource.ts';
import { Choice, TextField } from '../fields.tsx';
import { Notice } from '../ui.tsx';
import { NameAndZone } from './name-and-zone.tsx';

interface SiteFields {
  readonly name: string;
  readonly time_zone: string;
  readonly week_start: string;
  readonly rating: string;
  readonly locales: readonly string[];
  readonly case_url: string | null;
}

interface Site extends SiteFields {
  readonly default_locale: string;
}

const PATH = '/api/v2/site';
const words = text.settings;
const RATINGS = Object.entries(words.ratings);
const DAYS = WEEK_DAYS.map((day) => [day, capitalised(day)] as const);

const read = ({ name, time_zone, week_start, rating, locales, case_url }: Site): SiteFields => ({
  ...{ name, time_zone, week_start, rating, locales, case_url },
});
const show = (fields: SiteFields): Readonly<Record<string, string>> => ({
  [words.name]: fields.name,
  [words.zone]: fields.time_zone,
  [words.weekStart]: fields.week_start,
  [words.rating]: words.ratings[fields.rating] ?? '',
  [words.locales]: fields.locales.join(', '),
  [words.caseUrl]: fields.case_url ?? '',
});

/** The site's own settings. */
export function SiteSettings(): JSX.Element {
  const { refresh } = useApp();
  const stored = useResource<Site>(PATH);
  const resource: Resource<Site> = {
    ...stored,
    take: (answer) => {
      stored.take(answer);
      refresh();
    },
  };
  const before = resource.data;
  return (
    <>
      <h2>{words.parts.site}</h2>
      <Editor<Site, SiteFields> path={PATH} resource={resource} read={read} show={show} label={words.parts.site}>
        {(fields, change, error) => (
          <>
            <NameAndZone fields={fields} hint={words.zoneHint} error={error} onChange={change} />
            <Choice
              label={words.weekStart}
              name="week_start"
              error={error}
              options={DAYS}
              value={fields.week_start}
              onChange={(week_start) => change({ week_start })}
            />
            <Choice
              label={words.rating}
              name="rating"
              error={error}
              options={RATINGS}
              value={fields.rating}
              onChange={(rating) => change({ rating })}
            />
            {before && fields.rating !== before.rating && <RatingWarning />}
            <TextField
              label={words.locales}
              hint={words.localesHint(before?.default_locale ?? '')}
              name="locales"
              error={error}
              value={fields.locales.join(', ')}
              onInput={(typed) => change({ locales: typed.split(',').map((locale) => locale.trim()) })}
              input={{ spellcheck: false }}
            />
            <TextField
              label={words.caseUrl}
              hint={words.caseUrlHint}
              name="case_url"
              error={error}
              value={fields.case_url ?? ''}
              onInput={(typed) => change({ case_url: typed === '' ? null : typed })}
              input={{ spellcheck: false }}
            />
          </>
        )}
      </Editor>
    </>
  );
}

/** Says what a new scale changes: of how many cases it will read the ratings anew. */
function RatingWarning(): JSX.Element {
  const { api, format } = useApp();
  const path = '/api/v2/insights3/reports';
  const asked = useQueued({
    ...{ slot: 'ratings', key: 'ratings' },
    send: async (signal) => (await api.ask<Counted>(path, { method: 'POST', body: COUNT_RATED, signal })).data,
  });
  const rated = asked.data && ratedIn(asked.data);
  return <Notice>{words.ratingWarning(rated, format.count(rated ?? 0))}</Notice>;
}

type Counted = Parameters<typeof ratedIn>[0];
