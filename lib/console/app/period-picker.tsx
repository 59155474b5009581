import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type Period, PRESETS, readRange, whole, writeLast } from '../model/period.ts';
import { text } from '../model/text.ts';
import { useApp } from './context.tsx';
import { Button, Field, Popover } from './ui.tsx';

interface PeriodPickerProps {
  readonly period: Period;
  readonly zone: string | null;
  readonly onChange: (period: Period, zone: string | null) => void;
}

/** The name of a period. */
export function periodText(period: Period, date: (local: string) => string): string {
  if (period.kind === 'last') {
    const { count, unit, current } = period;
    if (unit === 'day' && count === 1 && current) return text.period.today;
    return current ? text.period.current(count, unit) : text.period.last(count, unit);
  }
  const to = lastDay(period.until);
  const from = period.from.slice(0, 10);
  return from === to ? date(from) : text.period.range(date(from), date(to));
}

/** The last day that a range touches. */
function lastDay(until: string): string {
  return new Date(Date.parse(`${whole(until)}Z`) - 1000).toISOString().slice(0, 10);
}

const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

/** A picker with presets, two dates and their time zone. */
export function PeriodPicker({ period, zone, onChange }: PeriodPickerProps): JSX.Element {
  const { format } = useApp();
  const name = periodText(period, format.date);
  return (
    <Popover
      label={
        <>
          <span aria-hidden="true" class="icon">
            ▦
          </span>{' '}
          {name} <span aria-hidden="true">▾</span>
        </>
      }
      name={`${text.period.label}: ${name}`}
    >
      {(close) => (
        <div class="period">
          <ul>
            {PRESETS.map((preset) => {
              const chosen =
                preset.kind === 'last' && period.kind === 'last' && writeLast(preset) === writeLast(period);
              return (
                <li key={periodText(preset, format.date)}>
                  <button
                    type="button"
                    class="option"
                    aria-pressed={chosen}
                    onClick={() => {
                      onChange(preset, zone);
                      close();
                    }}
                  >
                    {periodText(preset, format.date)}
                  </button>
                </li>
              );
            })}
          </ul>
          <Dates
            period={period}
            onApply={(range) => {
              onChange(range, zone);
              close();
            }}
          />
          <ZoneField zone={zone} onChange={(chosen) => onChange(period, chosen)} />
        </div>
      )}
    </Popover>
  );
}

function Dates({
  period,
  onApply,
}: {
  readonly period: Period;
  readonly onApply: (period: Period) => void;
}): JSX.Element {
  const range = period.kind === 'range' ? period : undefined;
  const [from, setFrom] = useState(range?.from.slice(0, 10) ?? '');
  const [to, setTo] = useState(range ? lastDay(range.until) : '');
  const chosen = from && to ? readRange(from, dayAfter(to)) : undefined;
  return (
    <fieldset>
      <legend>{text.period.custom}</legend>
      <Field label={text.period.from}>
        {(attributes) => (
          <input
            {...attributes}
            type="date"
            class="input"
            value={from}
            onInput={(event) => setFrom(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label={text.period.until}>
        {(attributes) => (
          <input
            {...attributes}
            type="date"
            class="input"
            value={to}
            onInput={(event) => setTo(event.currentTarget.value)}
          />
        )}
      </Field>
      <Button kind="primary" disabled={chosen === undefined} onClick={() => chosen && onApply(chosen)}>
        {text.period.apply}
      </Button>
    </fieldset>
  );
}

function ZoneField({
  zone,
  onChange,
}: {
  readonly zone: string | null;
  readonly onChange: (zone: string | null) => void;
}): JSX.Element {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set([own, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  return (
    <Field label={text.period.zone}>
      {(attributes) => (
        <select
          {...attributes}
          class="input"
          value={zone ?? ''}
          onChange={(event) => onChange(event.currentTarget.value || null)}
        >
          <option value="">{text.period.siteZone}</option>
          {zones.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
