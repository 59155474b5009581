import type { JSX } from 'preact';
import { instantOf } from '../../../zone.ts';
import type { Article } from '../../model/article.ts';
import { articleText } from '../../model/text/article-text.ts';
import { localIn } from '../../model/zone.ts';
import { useApp } from '../context.tsx';
import type { Form } from '../edit/form.ts';
import { Choice, TextField } from '../ui/fields.tsx';
import { Button } from '../ui/ui.tsx';

type PublishForm = Form<Pick<Article, 'in_support_center' | 'publish_at'>>;

const WHO = [true, false, null] as const;

/** Who sees an article, and from when on, in the site's zone. */
export function PublishFields({ form }: { readonly form: PublishForm }): JSX.Element {
  const { in_support_center, publish_at } = form.fields;
  const { definitions } = useApp();
  const zone = definitions?.site.time_zone ?? 'UTC';
  const local = publish_at === null ? '' : localIn(zone, publish_at).slice(0, 16);
  const fromLocal = (value: string): string | null =>
    value === '' ? null : timestamp(instantOf({ name: zone }, Date.parse(`${value.slice(0, 16)}:00Z`) / 1000));
  return (
    <div class="options">
      <Choice
        label={articleText.readers}
        options={WHO.map((who, index) => [String(index), articleText.who[String(who)] ?? ''] as const)}
        value={String(WHO.indexOf(in_support_center))}
        onChange={(index) => form.change({ in_support_center: WHO[Number(index)] ?? null })}
      />
      <TextField
        label={articleText.publishAt}
        name="publish_at"
        error={form.error}
        hint={articleText.publishHint(zone)}
        value={local}
        input={{
          type: 'datetime-local',
          onChange: ({ currentTarget }) => form.change({ publish_at: fromLocal(currentTarget.value) }),
        }}
      />
      <Button
        onClick={() => form.change({ in_support_center: true, publish_at: timestamp(Math.floor(Date.now() / 1000)) })}
      >
        {articleText.publishNow}
      </Button>
    </div>
  );
}

/** An instant of whole seconds as the API writes times. */
const timestamp = (second: number): string => new Date(second * 1000).toISOString().replace('.000Z', 'Z');
