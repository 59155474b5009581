import type { JSX } from 'preact';
import { hoursText } from '../../model/settings/holidays.ts';
import { type DrawnDay, drawnWeek, type Hours } from '../../model/settings/week.ts';
import { settingsText } from '../../model/text/settings-text.ts';
import { words as capitalised } from '../../model/text/text.ts';

const words = settingsText.week;
const HOURS = [0, 6, 12, 18, 24];

/** A week of working hours as bars from midnight to midnight, and as words for screen readers. */
export function DrawnWeek({ hours }: { readonly hours: Hours }): JSX.Element {
  const days = drawnWeek(hours);
  const minutes = days.reduce((sum, day) => sum + day.minutes, 0);
  return (
    <figure class="drawn-week">
      <figcaption class="quiet">{words.inAll(minutes / 60)}</figcaption>
      <ul class="hidden">
        {days.map(({ day, minutes: own }) => (
          <li key={day}>{words.day(capitalised(day), own === 0 ? '' : hoursText(hours[day] ?? []))}</li>
        ))}
      </ul>
      <div class="drawn-days" aria-hidden="true">
        {days.map((day) => (
          <Day key={day.day} {...day} />
        ))}
        <span />
        <span class="drawn-hours quiet small">
          {HOURS.map((hour) => (
            <span key={hour}>{hour}</span>
          ))}
        </span>
      </div>
    </figure>
  );
}

const Day = ({ day, spans }: DrawnDay): JSX.Element => (
  <>
    <span class="quiet small">{capitalised(day)}</span>
    <svg viewBox="0 0 1440 10" preserveAspectRatio="none" aria-hidden="true">
      {HOURS.map((hour) => (
        <line key={hour} x1={hour * 60} x2={hour * 60} y1={0} y2={10} />
      ))}
      {spans.map(({ from, to }) => (
        <rect key={from} x={from} width={to - from} y={1} height={8} />
      ))}
    </svg>
  </>
);
