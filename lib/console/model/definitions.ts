/** A data field as `GET /api/v2/report_definitions` tells of it. */
export interface FieldDefinition {
  readonly name: string;
  readonly unit: string;
  readonly meaning: string;
  readonly may_change: boolean; // the values of recent windows may still change
  readonly null_by: readonly string[]; // dimensions that leave it empty
}

export interface Definition {
  readonly name: string;
  readonly meaning: string;
}

/** What can be asked for: read from the service, so that the console never offers what is not there. */
export interface Definitions {
  readonly fields: readonly FieldDefinition[];
  readonly durations: readonly Definition[]; // that take a statistic, `<duration>:p50`
  readonly dimensions: readonly Definition[];
  readonly filter_objects: readonly Definition[];
  readonly site: { readonly time_zone: string; readonly locales: readonly string[]; readonly default_locale: string };
}
