import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { CALENDAR_DAYS } from '../../../vocabulary.ts';
import {
  byDate,
  dayForm,
  type Holiday,
  holidayFaults,
  holidayLines,
  holidaysHint,
  hoursText,
  readHolidayLines,
  readHours,
} from '../../model/settings/holidays.ts';
import type { Hours } from '../../model/settings/week.ts';
import { settingsText } from '../../model/text/settings-text.ts';
import { words as capitalised } from '../../model/text/text.ts';
import { useAttempts } from '../attempt.ts';
import { useApp } from '../context.tsx';
import { Editor } from '../edit/editor.tsx';
import type { FormKind } from '../edit/form.ts';
import { allOf, type Page, useResource } from '../edit/resource.ts';
import { Trouble } from '../trouble.tsx';
import { Check, fieldFault, Typed } from '../ui/fields.tsx';
import { Button, Empty, Field, Notice, Skeleton } from '../ui/ui.tsx';
import { DrawnWeek } from './drawn-week.tsx';
import { NameAndZone } from './name-and-zone.tsx';
import { ServedGroups } from './served-groups.tsx';

interface CalendarFields {
  readonly name: string;
  readonly time_zone: string;
  readonly hours: Hours;
  readonly holidays: readonly Holiday[];
  readonly default: boolean;
  readonly groups: readonly number[];
}

interface Calendar extends CalendarFields {
  readonly id: number;
}

const PATH = '/api/v2/calendars';
const words = settingsText;
const NINE_TO_FIVE = Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, [['09:00', '17:00']]]));

const DAYS = dayForm();
const writeHolidays = (holidays: readonly Holiday[]): string => holidayLines(holidays, DAYS);
const readHolidays = (lines: string): readonly Holiday[] => readHolidayLines(lines, DAYS);

const CALENDAR: FormKind<CalendarFields, CalendarFields> = {
  labels: {
    name: words.name,
    time_zone: words.zone,
    hours: words.parts.hours,
    holidays: words.holidays,
    default: words.isDefault,
    groups: words.week.groups,
  },
  read: (data) => ({ ...data, holidays: byDate(data.holidays) }),
  show: (fields) => ({
    [words.name]: fields.name,
    [words.zone]: fields.time_zone,
    [words.parts.hours]: CALENDAR_DAYS.map((day) => `${day} ${hoursText(fields.hours[day] ?? [])}`).join('; '),
    [words.holidays]: writeHolidays(fields.holidays),
    [words.week.groups]: fields.groups.join(', '),
  }),
};

/** Working hours: each calendar with its week and its holidays. */
export function WorkingHours(): JSX.Element {
  const { api } = useApp();
  const list = useResource<Page<Calendar>>(allOf(PATH));
  const { error, attempt } = useAttempts();
  const calendars = list.data?._embedded.entries;
  const add = (): Promise<void> =>
    attempt(async () => {
      const { time_zone } = (await api.ask<{ readonly time_zone: string }>('/api/v2/site')).data;
      const body = { name: words.parts.hours, time_zone, hours: NINE_TO_FIVE, default: calendars?.length === 0 };
      await api.ask(PATH, { method: 'POST', body });
      list.reload();
    });
  return (
    <>
      <header class="page-head">
        <h2>{words.parts.hours}</h2>
        <Button onClick={add}>{words.newCalendar}</Button>
      </header>
      <Trouble error={list.error ?? error} onAgain={list.reload} />
      {calendars === undefined && list.error === undefined && <Skeleton tall />}
      {calendars?.length === 0 && <Empty title={words.noCalendar} hint={words.noCalendarHint} />}
      {calendars?.map(({ id }) => (
        <CalendarEditor key={id} id={id} onRemoved={list.reload} />
      ))}
    </>
  );
}

function CalendarEditor({ id, onRemoved }: { readonly id: number; readonly onRemoved: () => void }): JSX.Element {
  const path = `${PATH}/${id}`;
  const resource = useResource<Calendar>(path);
  return (
    <Editor path={path} resource={resource} kind={CALENDAR} label={resource.data?.name ?? ''} onRemoved={onRemoved}>
      {(form) => {
        const { fields, error, change } = form;
        return (
          <>
            <NameAndZone form={form} hint={words.calendarZoneHint(fields.time_zone)} />
            <Week hours={fields.hours} error={error} onChange={(hours) => change({ hours })} />
            <DrawnWeek hours={fields.hours} />
            <Holidays holidays={fields.holidays} error={error} onChange={(holidays) => change({ holidays })} />
            <Check {...form.check('default')} />
            <ServedGroups groups={fields.groups} error={error} onChange={(groups) => change({ groups })} />
          </>
        );
      }}
    </Editor>
  );
}

interface PartProps<T> {
  readonly error: unknown;
  readonly onChange: (value: T) => void;
}

/** The periods of each day of a week. */
const Week = ({ hours, error, onChange }: PartProps<Hours> & { readonly hours: Hours }): JSX.Element => {
  const said = fieldFault(error, 'hours');
  const wrong = /\bhours\.([a-z]{3})/.exec(said ?? '')?.[1]; // the day that the service refused
  return (
    <fieldset class="week">
      <legend>{words.weekHint}</legend>
      {said && wrong === undefined && <p class="fault">{said}</p>}
      {CALENDAR_DAYS.map((day) => (
        <Typed
          key={day}
          value={hours[day] ?? []}
          read={readHours}
          write={hoursText}
          onChange={(periods) => onChange({ ...hours, [day]: periods })}
        >
          {({ value, onInput }) => (
            <Field label={capitalised(day)} error={day === wrong ? words.badHours : undefined}>
              {(attributes) => (
                <input
                  class="input"
                  dir="auto"
                  value={value}
                  onInput={({ currentTarget }) => onInput(currentTarget.value)}
                  {...attributes}
                />
              )}
            </Field>
          )}
        </Typed>
      ))}
    </fieldset>
  );
};

const SHOWN = 3; // faults
const LARGEST_FILE = 1024 * 1024; // bytes of an `.ics` file

/** The holidays as lines of text, which an `.ics` file adds to. */
function Holidays({
  holidays,
  error,
  onChange,
}: PartProps<readonly Holiday[]> & { readonly holidays: readonly Holiday[] }): JSX.Element {
  const [said, setSaid] = useState<readonly string[]>([]);
  const refused = fieldFault(error, 'holidays');
  const take = async (file: File): Promise<void> => {
    if (file.size > LARGEST_FILE) return setSaid([words.ics.tooLarge(file.name)]);
    const { readIcs } = await import('../../model/settings/ics.ts');
    const found = readIcs(await file.text(), new Date().getFullYear());
    if (found === undefined) return setSaid([words.ics.none(file.name)]);
    const known = new Set(holidays.map((each) => writeHolidays([each])));
    const added = found.holidays.filter((each) => !known.has(writeHolidays([each])));
    onChange(byDate([...holidays, ...added]));
    return setSaid([
      words.ics.taken(added.length),
      ...found.left.map(({ name, why }) => words.ics.left(name, words.ics.why[why])),
    ]);
  };
  return (
    <>
      <Typed value={holidays} read={readHolidays} write={writeHolidays} onChange={onChange}>
        {({ value, onInput }) => (
          <Field
            label={words.holidays}
            hint={holidaysHint(DAYS)}
            error={refused && holidayFaults(value, refused, DAYS).slice(0, SHOWN).join(' ')}
          >
            {(attributes) => (
              <textarea
                class="input"
                dir="auto"
                rows={8}
                value={value}
                onInput={({ currentTarget }) => onInput(currentTarget.value)}
                {...attributes}
              />
            )}
          </Field>
        )}
      </Typed>
      <Field label={words.ics.choose}>
        {(attributes) => (
          <input
            {...attributes}
            type="file"
            accept=".ics,text/calendar"
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? [];
              if (file) void take(file);
            }}
          />
        )}
      </Field>
      {said.length > 0 && (
        <Notice>
          {said.map((sentence) => (
            <p key={sentence} dir="auto">
              {sentence}
            </p>
          ))}
        </Notice>
      )}
    </>
  );
}
