import type { REFERENCE_RECORDS } from './reference-records.ts';

/**
 * The reference records of docs/import.md, as their readers return them. An absent optional key changes nothing, null
 * clears; what a record needs is absent only with `deleted`.
 */
export type ReferenceRecord = ReturnType<(typeof REFERENCE_RECORDS)[keyof typeof REFERENCE_RECORDS]>;

/** The records of some types. */
export type RecordOf<T extends ReferenceRecord['type']> = Extract<ReferenceRecord, { readonly type: T }>;

export type SiteRecord = RecordOf<'site'>;
export type CalendarRecord = RecordOf<'calendar'>;
export type SlaPolicyRecord = RecordOf<'sla_policy'>;
