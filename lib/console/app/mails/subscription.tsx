import type { JSX } from 'preact';
import { WEEK_DAYS } from '../../../vocabulary.ts';
import type { Board } from '../../model/board/board.ts';
import { type Subscription, scheduleText } from '../../model/mail.ts';
import { words as capitalised, text } from '../../model/text/text.ts';
import { ALL_REPORTS, BOARDS } from '../boards/copy.ts';
import type { FormKind } from '../edit/form.ts';
import { allOf, type Page, useResource } from '../edit/resource.ts';
import type { SavedReport } from '../report/save.tsx';
import { Choice, fieldFault, TextField, Typed } from '../ui/fields.tsx';
import { Field } from '../ui/ui.tsx';
import { ShowMail } from './compute-now.tsx';
import { nameAmong } from './kinds.ts';
import { ListPage } from './list.tsx';
import { OnePage, OWN_FIELDS, OWN_LABELS, type OwnFields, RecipientFields, shownOwn, TimeField } from './one.tsx';

type Fields = OwnFields & Pick<Subscription, 'board' | 'saved_report' | 'every' | 'weekday' | 'day'>;
type Shown = Pick<Subscription, 'board' | 'saved_report'>;

const words = text.mails;
const WAYS = Object.entries(words.ways);
const DAYS = WEEK_DAYS.map((day) => [day, capitalised(day)] as const);

const LABELS: FormKind<Subscription, Fields>['labels'] = {
  board: words.what,
  saved_report: words.what,
  every: words.often,
  weekday: words.weekday,
  day: words.day,
  ...OWN_LABELS,
};

interface SubscriptionsProps {
  readonly id: string | undefined; // undefined for the list
  readonly query: URLSearchParams; // what a new one shows
}

/** The pages of subscriptions. */
export function Subscriptions({ id, query }: SubscriptionsProps): JSX.Element {
  const boards = useResource<Page<Board>>(allOf(BOARDS)).data?._embedded.entries;
  const reports = useResource<Page<SavedReport>>(ALL_REPORTS).data?._embedded.entries;
  const nameOf = ({ board, saved_report }: Shown): string =>
    board === null ? nameAmong(reports, saved_report) : nameAmong(boards, board);
  if (id === undefined) return <ListPage<Subscription> kind="mails" nameOf={nameOf} describe={scheduleText} />;
  const asked = (name: string): number | null => Number(query.get(name)) || null;
  const fields: Fields = {
    board: asked('board'),
    saved_report: asked('saved_report'),
    every: 'week',
    weekday: 'monday',
    day: 1,
    ...OWN_FIELDS,
  };
  const show = (shown: Fields): Readonly<Record<string, string>> => ({
    [words.what]: nameOf(shown),
    [words.often]: scheduleText(shown),
    ...shownOwn(shown),
  });
  return (
    <OnePage<Subscription, Fields>
      key={id}
      kind="mails"
      id={id}
      fields={fields}
      form={{ labels: LABELS, read: (data) => data, show }}
      nameOf={nameOf}
      below={(saved) => <ShowMail id={saved} />}
    >
      {(form) => (
        <>
          <What shown={form.fields} boards={boards} reports={reports} error={form.error} onChange={form.change} />
          <Choice {...form.choice('every')} options={WAYS} />
          {form.fields.every === 'week' && <Choice {...form.choice('weekday')} options={DAYS} />}
          {form.fields.every === 'month' && (
            <Typed value={form.fields.day} read={Number} write={String} onChange={(day) => form.change({ day })}>
              {(typed) => (
                <TextField
                  label={words.day}
                  hint={words.dayHint}
                  name="day"
                  error={form.error}
                  {...typed}
                  input={{ type: 'number', min: 1, max: 31, required: true }}
                />
              )}
            </Typed>
          )}
          <TimeField form={form} />
          <RecipientFields form={form} />
        </>
      )}
    </OnePage>
  );
}

interface WhatProps {
  readonly shown: Shown;
  readonly boards: readonly Board[] | undefined; // undefined until they are read
  readonly reports: readonly SavedReport[] | undefined;
  readonly error: unknown;
  readonly onChange: (part: Shown) => void;
}

/** The board or the saved report that is sent. */
function What({ shown: { board, saved_report }, boards, reports, error, onChange }: WhatProps): JSX.Element {
  const value = board !== null ? `board ${board}` : saved_report !== null ? `report ${saved_report}` : '';
  const choose = (chosen: string): void => {
    const [what, id] = chosen.split(' ');
    onChange({ board: what === 'board' ? Number(id) : null, saved_report: what === 'report' ? Number(id) : null });
  };
  const known = [
    ...(boards ?? []).map(({ id, name }) => ({ value: `board ${id}`, name })),
    ...(reports ?? []).map(({ id, name }) => ({ value: `report ${id}`, name })),
  ];
  const group = (label: string, what: string): JSX.Element => (
    <optgroup label={label}>
      {known
        .filter((one) => one.value.startsWith(what))
        .map((one) => (
          <option key={one.value} value={one.value}>
            {one.name}
          </option>
        ))}
    </optgroup>
  );
  return (
    <Field label={words.what} error={fieldFault(error, 'board') ?? fieldFault(error, 'saved_report')}>
      {(attributes) => (
        <select
          {...attributes}
          class="input"
          required
          value={value}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value="">{words.choose}</option>
          {value !== '' && known.every((one) => one.value !== value) && (
            <option value={value}>
              {board === null ? nameAmong(reports, saved_report) : nameAmong(boards, board)}
            </option>
          )}
          {group(text.boards.title, 'board')}
          {group(text.saved.title, 'report')}
        </select>
      )}
    </Field>
  );
}
