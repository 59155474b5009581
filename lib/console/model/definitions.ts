/** A data field as `GET /api/v2/report_definitions` shows it. */
export interface FieldDefinition {
  readonly name: string;
  readonly unit: string;
  readonly meaning: string;
  readonly may_change: boolean; // the values of recent windows may still change
  readonly null_by: readonly string[]; // dimensions by which it is null
}

export interface Definition {
  readonly name: string;
  readonly meaning: string;
}

/**
 * Everything that a report may contain, read from the service, so that the console offers only what the service has.
 */
export interface Definitions {
  readonly fields: readonly FieldDefinition[];
  readonly durations: readonly Definition[]; // those with statistics, such as `<duration>:p50`
  readonly dimensions: readonly Definition[];
  readonly filter_objects: readonly Definition[];
  readonly site: { readonly time_zone: string; readonly locales: readonly string[]; readonly default_locale: string };
}
