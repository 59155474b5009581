import type { ComponentChildren, JSX } from 'preact';
import type { Owned } from '../../model/mail.ts';
import { text } from '../../model/text/text.ts';
import { useApp } from '../context.tsx';
import { Editor } from '../edit/editor.tsx';
import type { Form, FormKind } from '../edit/form.ts';
import { allOf, type Page, useResource } from '../edit/resource.ts';
import { WordsField } from '../edit/words-field.tsx';
import { go, href } from '../location.ts';
import { Check, fieldFault, TextField } from '../ui/fields.tsx';
import { DeliveryState, Lacks, useDeliveries } from './delivery.tsx';
import { KINDS, type Kind } from './kinds.ts';

interface OneProps<T, F> {
  readonly kind: Kind;
  readonly id: string; // `new` for one that is not made yet
  readonly fields: F; // of a new one
  readonly form: FormKind<T, F>;
  readonly nameOf: (thing: T) => string;
  readonly children: (form: Form<F>) => ComponentChildren;
  readonly below: (id: number) => ComponentChildren; // what a saved one can do
}

/** The page of one subscription or alert, or of a new one. */
export function OnePage<T extends Owned, F extends object>(props: OneProps<T, F>): JSX.Element {
  const { kind, id, fields, form, nameOf, children, below } = props;
  const { path, of } = KINDS[kind];
  const words = text[kind];
  const isNew = id === 'new';
  const own = `${path}/${encodeURIComponent(id)}`;
  const resource = useResource<T>(isNew ? undefined : own);
  const deliveries = useDeliveries();
  const { data } = resource;
  const list = href(`/${kind}`);
  const label = isNew ? words.new : data === undefined ? words.title : nameOf(data);
  const onMade = (made: T): void => go(href(`/${kind}/${made.id}`), true);
  return (
    <div class="page narrow">
      <p>
        <a href={list}>{words.all}</a>
      </p>
      <h1 dir="auto">{label}</h1>
      <Lacks deliveries={deliveries.data} />
      <DeliveryState delivery={data && deliveries.data?._embedded.entries.find((each) => each[of] === data.id)} />
      <Editor
        path={isNew ? path : own}
        resource={resource}
        kind={form}
        label={label}
        isAllowed
        creating={isNew ? { fields, onMade } : undefined}
        onSaved={deliveries.reload}
        onRemoved={() => go(list)}
      >
        {children}
      </Editor>
      {data && below(data.id)}
    </div>
  );
}

/** The fields that both kinds have. */
export type OwnFields = Pick<Owned, 'at' | 'recipients' | 'enabled'>;

export const OWN_FIELDS: OwnFields = { at: '07:30', recipients: [], enabled: true };

export const OWN_LABELS = {
  at: text.mails.at,
  recipients: text.mails.recipients,
  enabled: text.mails.enabled,
} as const;

export const shownOwn = ({ at, recipients, enabled }: OwnFields): Readonly<Record<string, string>> => ({
  [text.mails.at]: at,
  [text.mails.recipients]: text.listAnd(recipients),
  [text.mails.enabled]: text.yesNo[enabled ? 1 : 0],
});

interface FieldsProps {
  readonly form: Form<OwnFields>;
}

/** The hour on the site's clock. */
export function TimeField({ form }: FieldsProps): JSX.Element {
  const { definitions } = useApp();
  return (
    <TextField
      {...form.text('at')}
      hint={text.mails.atHint(definitions?.site.time_zone ?? 'UTC')}
      input={{ type: 'time', required: true }}
    />
  );
}

/** Who gets the mails, chosen from the users who have an address, and whether any is sent. */
export function RecipientFields({ form }: FieldsProps): JSX.Element {
  const users = useResource<Page<{ readonly email: string | null }>>(allOf('/api/v2/users'));
  const known = users.data?._embedded.entries.flatMap(({ email }) => (email?.includes('@') ? [email] : []));
  return (
    <>
      <WordsField
        label={text.mails.recipients}
        words={form.fields.recipients}
        known={known ?? []}
        add={text.mails.addRecipient}
        other={text.mails.otherRecipient}
        otherHint={text.mails.otherRecipientHint}
        error={fieldFault(form.error, 'recipients')}
        onChange={(recipients) => form.change({ recipients })}
      />
      <Check {...form.check('enabled')} />
    </>
  );
}
