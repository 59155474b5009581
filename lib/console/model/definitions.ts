/** A data field as `GET /api/v2/report_definitions` tells of it. */
export interface FieldDefinition {
  readonly name: string;
  readonly unit: string;
  readonly meaning: string;
  readonly mayChange: boolean; // the values of recent windows may still change
  readonly nullBy: readonly string[]; // dimensions that leave it empty
}

export interface DimensionDefinition {
  readonly name: string;
  readonly meaning: string;
}

/** What can be asked for: read from the service, so that the console never offers what is not there. */
export interface Definitions {
  readonly fields: readonly FieldDefinition[];
  readonly durations: readonly string[]; // fields that take a statistic, `<field>:p50`
  readonly dimensions: readonly DimensionDefinition[];
  readonly filters: readonly string[];
}
