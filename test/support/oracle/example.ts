import type { HistoryEvent } from '../../../lib/history/cases/event.ts';
import type { ReferenceRecord } from '../../../lib/import/records/reference-record.ts';

/** A condition of a filter, with three or six elements. */
export type Condition =
  | readonly [action: string, object: string, ids: Ids]
  | readonly [
      action: string,
      object: string,
      match: string | null,
      text: string | null,
      exact: boolean | null,
      ids: Ids,
    ];
type Ids = readonly { readonly id: string }[] | null;

/** A report's range by its ends, and how it is cut. */
interface AbsoluteTime {
  readonly min: string;
  readonly max: string;
  readonly window_size: 'none' | 'hour' | 'day' | 'week' | 'month';
  readonly time_zone?: string;
}

/** The last whole units; not in hours, which the oracle does not count over a change of clocks. */
interface RelativeTime extends Pick<AbsoluteTime, 'window_size' | 'time_zone'> {
  readonly last: number;
  readonly unit: 'day' | 'week' | 'month' | 'quarter' | 'year';
  readonly including_current: boolean;
}

/** A time of which the range that it is compared with is counted. */
type ComparedTime = (AbsoluteTime | RelativeTime) & {
  readonly compare: 'previous_period' | 'previous_year' | { readonly min: string; readonly max: string };
};

/** The body of a report request, valid by docs/interface.md with the extension `time.time_zone`. */
export interface ReportBody<Time = AbsoluteTime> {
  readonly fields: readonly string[];
  readonly time: Time;
  readonly dimension1?: string;
  readonly dimension1_values?: readonly (number | string)[] | null;
  readonly dimension2?: string;
  readonly dimension2_values?: readonly (number | string)[] | null;
  readonly filters?: readonly (readonly Condition[])[];
  readonly hours?: 'business' | 'calendar' | null;
}

/**
 * Everything that a report depends on. Events are in any order and may repeat; each member has only its last record.
 */
export interface Example<Time = AbsoluteTime> {
  readonly events: readonly HistoryEvent[];
  readonly reference: readonly ReferenceRecord[];
  readonly site: {
    readonly timeZone: string;
    readonly weekStart: WeekDay;
    readonly rating?: 'yes_no' | 'four_star'; // default four_star
  };
  readonly now?: number; // s, the present moment; default FUTURE
  readonly body: ReportBody<Time>;
}

const WEEK_DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
type WeekDay = (typeof WEEK_DAYS)[number];

/** An example of a report, or of the comparison in it. */
export type AnyExample = Example<AbsoluteTime | ComparedTime>;

/** A row of a report's `data`: window, two members, then the fields. */
export type Row = readonly (number | string | null)[];

/** The default present moment of examples, in s: long after all events. */
export const FUTURE = 4_000_000_000;
