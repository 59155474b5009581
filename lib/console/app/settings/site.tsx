import type { JSX } from 'preact';
import { WEEK_DAYS } from '../../../vocabulary.ts';
import { ENGINE_LABEL, ENGINE_OPTIONS, engineMeaning, engineName } from '../../model/settings/engines.ts';
import { COUNT_RATED, ratedIn } from '../../model/settings/rating-change.ts';
import { settingsText } from '../../model/text/settings-text.ts';
import { words as capitalised } from '../../model/text/text.ts';
import { useQueued } from '../ask.ts';
import { useApp } from '../context.tsx';
import { Editor } from '../edit/editor.tsx';
import { formKind } from '../edit/form.ts';
import { type Resource, useResource } from '../edit/resource.ts';
import { Choice, TextField, Typed } from '../ui/fields.tsx';
import { Notice } from '../ui/ui.tsx';
import { NameAndZone } from './name-and-zone.tsx';

interface SiteFields {
  readonly name: string;
  readonly time_zone: string;
  readonly week_start: string;
  readonly rating: string;
  readonly locales: readonly string[];
  readonly case_url: string | null;
  readonly engine: string;
}

interface Site extends SiteFields {
  readonly default_locale: string;
}

const PATH = '/api/v2/site';
const words = settingsText;
const RATINGS = Object.entries(words.ratings);
const DAYS = WEEK_DAYS.map((day) => [day, capitalised(day)] as const);

const BASE = formKind<SiteFields>({
  name: words.name,
  time_zone: words.zone,
  week_start: words.weekStart,
  rating: words.rating,
  locales: words.locales,
  case_url: words.caseUrl,
  engine: ENGINE_LABEL,
});

const SITE: typeof BASE = {
  ...BASE,
  show: (fields) => ({
    ...BASE.show(fields),
    [words.rating]: words.ratings[fields.rating] ?? '',
    [ENGINE_LABEL]: engineName(fields.engine),
  }),
};

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
      <Editor path={PATH} resource={resource} kind={SITE} label={words.parts.site}>
        {(form) => (
          <>
            <NameAndZone form={form} hint={words.zoneHint} />
            <Choice {...form.choice('week_start')} options={DAYS} />
            <Choice {...form.choice('rating')} options={RATINGS} />
            {before && form.fields.rating !== before.rating && <RatingWarning />}
            <Typed
              value={form.fields.locales}
              read={(typed) => typed.split(/[\s,]+/).filter((locale) => locale !== '')}
              write={(locales) => locales.join(', ')}
              onChange={(locales) => form.change({ locales })}
            >
              {(typed) => (
                <TextField
                  label={words.locales}
                  hint={words.localesHint(before?.default_locale ?? '')}
                  name="locales"
                  error={form.error}
                  {...typed}
                  input={{ spellcheck: false }}
                />
              )}
            </Typed>
            <TextField {...form.optional('case_url')} hint={words.caseUrlHint} input={{ spellcheck: false }} />
            <Choice {...form.choice('engine')} options={ENGINE_OPTIONS} hint={engineMeaning(form.fields.engine)} />
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
    slot: 'ratings',
    key: 'ratings',
    send: async (signal) => (await api.ask<Counted>(path, { method: 'POST', body: COUNT_RATED, signal })).data,
  });
  const rated = asked.data && ratedIn(asked.data);
  return <Notice>{words.ratingWarning(rated, format.count(rated ?? 0))}</Notice>;
}

type Counted = Parameters<typeof ratedIn>[0];
