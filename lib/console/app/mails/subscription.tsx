import type { JSX } from 'preact';
import { WEEK_DAYS } from '../../../vocabulary.ts';
import type { Board } from '../../model/board.ts';
import { type Subscription, scheduleText } from '../../model/mail.ts';
import { words as capitalised, text } from '../../model/text.ts';
import { ALL_REPORTS, BOARDS } from '../boards/copy.ts';
import { allOf, type Page, useResource } from '../edit/resource.ts';
import { Choice, saidOf, TextField } from '../fields.tsx';
import type { SavedReport } from '../report/save.tsx';
import { Field } from '../ui.tsx';
import { ShowMail } from './compute-now.tsx';
import { nameAmong } from './kinds.ts';
import { ListPage } from './list.tsx';
import { OnePage, OWN_FIELDS, type OwnFields, ownFields, RecipientFields, shownOwn, TimeField } from './one.tsx';

type Fields = OwnFields & Pick<Subscription, 'board' | 'saved_report' | 'every' | 'weekday' | 'day'>;
type Shown = Pick<Subscription, 'board' | 'saved_report'>;

const words = text.mails;
const WAYS = Object.entries(words.ways);
const DAYS = WEEK_DAYS.map((day) => [day, capitalised(day)] as const);

const read = (data: Subscription): Fields => {
  const { board, saved_report, every, weekday, day } = data;
  return { board, saved_report, every, weekday, day, ...ownFields(data) };
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
    ...{ board: asked('board'), saved_report: asked('saved_report'), every: 'week', weekday: 'monday', day: 1 },
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
      read={read}
      show={show}
      nameOf={nameOf}
      below={(saved) => <ShowMail id={saved} />}
    >
      {(shown, change, error) => (
        <>
          <What shown={shown} boards={boards} reports={reports} error={error} onChange={change} />
          <Choice
            label={words.often}
            name="every"
            error={error}
            options={WAYS}
            value={shown.every}
            onChange={(every) => isWay(every) && change({ every })}
          />
          {shown.every === 'week' && (
            <Choice
              label={words.weekday}
              name="weekday"
              error={error}
              options={DAYS}
              value={shown.weekday}
              onChange={(weekday) => change({ weekday })}
            />
          )}
          {shown.every === 'month' && (
            <TextField
              label={words.day}
              hint={words.dayHint}
              name="day"
              error={error}
              value={String(shown.day)}
              onInput={(day) => change({ day: Number(day) })}
              input={{ type: 'number', min: 1, max: 31, required: true }}
            />
          )}
          <TimeField fields={shown} error={error} onChange={change} />
          <RecipientFields fields={shown} error={error} onChange={change} />
        </>
      )}
    </OnePage>
  );
}

const isWay = (every: string): every is Subscription['every'] => every in words.ways;

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
    <Field label={words.what} error={saidOf(error, 'board') ?? saidOf(error, 'saved_report')}>
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
