import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { dayAfter, lastDay, type Period, PRESETS, readRange, writeLast } from '../../model/period.ts';
import { text } from '../../model/text/text.ts';
import { useApp } from '../context.tsx';
import { Choice, TextField } from './fields.tsx';
import { Button, Popover } from './ui.tsx';

interface PeriodPickerProps {
  readonly period: Period;
  readonly zone: string | null;
  readonly onChange: (period: Period, zone: string | null) => void;
  readonly isOwn?: boolean; // no period is chosen: each tile of the board has its own
}

/** The name of a period. */
export function periodText(period: Period, date: (local: string) => string): string {
  if (period.kind === 'all') return text.period.all;
  if (period.kind === 'last') {
    const { count, unit, current } = period;
    if (unit === 'day' && count === 1) return current ? text.period.today : text.period.yesterday;
    return current ? text.period.current(count, unit) : text.period.last(count, unit);
  }
  const to = lastDay(period.until);
  const from = period.from.slice(0, 10);
  return from === to ? date(from) : text.period.range(date(from), date(to));
}

/** A picker with presets, two dates and their time zone. */
export function PeriodPicker({ period, zone, onChange, isOwn = false }: PeriodPickerProps): JSX.Element {
  const { format } = useApp();
  const name = isOwn ? text.boards.ownPeriods : periodText(period, format.date);
  usePresetKeys((preset) => onChange(preset, zone));
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
            {PRESETS.map(({ key, period: preset }) => (
              <li key={key}>
                <button
                  type="button"
                  class="option"
                  aria-pressed={period.kind !== 'range' && writeLast(preset) === writeLast(period)}
                  aria-keyshortcuts={key}
                  onClick={() => {
                    onChange(preset, zone);
                    close();
                  }}
                >
                  {periodText(preset, format.date)} <kbd aria-hidden="true">{key.toUpperCase()}</kbd>
                </button>
              </li>
            ))}
          </ul>
          <p class="quiet small">{text.period.keys}</p>
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

const TYPING = 'input:not([type=checkbox]), select, textarea, [contenteditable]';

/** Chooses a preset by its key, unless somebody types or a dialog is open. */
function usePresetKeys(choose: (preset: Period) => void): void {
  const latest = useRef(choose);
  latest.current = choose;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(TYPING)) return;
      if (document.querySelector('dialog[open]')) return;
      const preset = PRESETS.find(({ key }) => key === event.key);
      if (preset) latest.current(preset.period);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
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
      <TextField label={text.period.from} value={from} onInput={setFrom} input={{ type: 'date' }} />
      <TextField label={text.period.until} value={to} onInput={setTo} input={{ type: 'date' }} />
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
    <Choice
      label={text.period.zone}
      options={[['', text.period.siteZone], ...zones.map((each) => [each, each] as const)]}
      value={zone ?? ''}
      onChange={(chosen) => onChange(chosen || null)}
    />
  );
}
