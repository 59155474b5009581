import type { JSX } from 'preact';
import { clockAt, instantOf } from '../../../zone.ts';
import { text } from '../../model/text.ts';
import { useApp } from '../context.tsx';
import { Choice, TextField } from '../fields.tsx';
import { Button } from '../ui.tsx';

interface PublishFieldsProps {
  readonly inSupportCenter: boolean | null;
  readonly publishAt: string | null;
  readonly error: unknown;
  readonly onChange: (part: { in_support_center?: boolean | null; publish_at?: string | null }) => void;
}

const WHO = [true, false, null] as const;

/** Who sees an article, and from when on, in the site's zone. */
export function PublishFields({ inSupportCenter, publishAt, error, onChange }: PublishFieldsProps): JSX.Element {
  const { definitions } = useApp();
  const zone = { name: definitions?.site.time_zone ?? 'UTC' };
  const local = publishAt === null ? '' : localText(clockAt(zone, Math.floor(Date.parse(publishAt) / 1000)));
  const fromLocal = (value: string): string | null =>
    value === '' ? null : timestamp(instantOf(zone, Date.parse(`${value.slice(0, 16)}:00Z`) / 1000));
  return (
    <div class="options">
      <Choice
        label={text.articles.readers}
        options={WHO.map((who, index) => [String(index), text.articles.who[String(who)] ?? ''] as const)}
        value={String(WHO.indexOf(inSupportCenter))}
        onChange={(index) => onChange({ in_support_center: WHO[Number(index)] ?? null })}
      />
      <TextField
        label={text.articles.publishAt}
        hint={text.articles.publishHint(zone.name)}
        name="publish_at"
        error={error}
        value={local}
        input={{
          type: 'datetime-local',
          onChange: ({ currentTarget }) => onChange({ publish_at: fromLocal(currentTarget.value) }),
        }}
      />
      <Button
        onClick={() => onChange({ in_support_center: true, publish_at: timestamp(Math.floor(Date.now() / 1000)) })}
      >
        {text.articles.publishNow}
      </Button>
    </div>
  );
}

/** An instant, or a local time, of whole seconds as the API writes times. */
const timestamp = (second: number): string => new Date(second * 1000).toISOString().replace('.000Z', 'Z');
const localText = (second: number): string => timestamp(second).slice(0, 16);
