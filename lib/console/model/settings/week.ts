import { CALENDAR_DAYS } from '../../../vocabulary.ts';

const DAY = 1440; // minutes

/** A period of work within a day, in minutes since midnight; `to` is exclusive. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** A day of a drawn week. */
export interface DrawnDay {
  readonly day: (typeof CALENDAR_DAYS)[number];
  readonly spans: readonly Span[];
  readonly minutes: number; // of work
}

/** The periods of work by day, each from a time to another: `09:00`. */
export type Hours = Readonly<Record<string, readonly (readonly string[])[]>>;

/** The seven days of working hours. A period that is not yet written out, or ends before it begins, is not drawn. */
export const drawnWeek = (hours: Hours): readonly DrawnDay[] =>
  CALENDAR_DAYS.map((day) => {
    const spans = (hours[day] ?? []).flatMap(([from, to]) => spanOf(minuteOf(from), minuteOf(to)));
    return { day, spans, minutes: spans.reduce((sum, span) => sum + span.to - span.from, 0) };
  });

const spanOf = (from: number | undefined, to: number | undefined): readonly Span[] =>
  from === undefined || to === undefined || from >= to ? [] : [{ from, to }];

function minuteOf(text: string | undefined): number | undefined {
  const [, hour, minute] = /^(\d\d):([0-5]\d)$/.exec(text ?? '') ?? [];
  const at = hour === undefined ? Number.NaN : Number(hour) * 60 + Number(minute);
  return at <= DAY ? at : undefined;
}
