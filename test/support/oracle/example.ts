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

/** The body of a report request, valid by docs/interface.md with the extension `time.time_zone`. */
export interface ReportBody {
  readonly fields: readonly string[];
  readonly time: {
    readonly min: string;
    readonly max: string;
    readonly window_size: 'none' | 'hour' | 'day' | 'week' | 'month';
    readonly time_zone?: string;
  };
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
export interface Example {
  readonly events: readonly HistoryEvent[];
  readonly reference: readonly ReferenceRecord[];
  readonly site: {
    readonly timeZone: string;
    readonly weekStart: WeekDay;
    readonly rating?: 'yes_no' | 'four_star'; // default four_star
  };
  readonly now?: number; // s, the present moment; default FUTURE
  readonly body: ReportBody;
}

const WEEK_DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
type WeekDay = (typeof WEEK_DAYS)[number];

/** A row of a report's `data`: window, two members, then the fields. */
export type Row = readonly (number | string | null)[];

/** The default present moment of examples, in s: long after all events. */
export const FUTURE = 4_000_000_000;
