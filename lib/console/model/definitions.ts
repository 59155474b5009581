/** How numbers are shown. */
interface Presentation {
  readonly unit: string;
  readonly kind: 'total' | 'mean' | 'rate' | 'statistic';
  readonly better: 'up' | 'down' | 'neither'; // the direction of a change that is good
}

/** Why a field means nothing by a dimension, and which dimension people mean. */
export interface NoMeaning {
  readonly sentence: string;
  readonly instead: string | null;
}

/** What the site's history does not tell of a field. */
interface NoData {
  readonly sentence: string;
  readonly everywhere: boolean; // no source tells it; false: some do not
}

/** A data field as `GET /api/v2/report_definitions` shows it. */
export interface FieldDefinition extends Presentation {
  readonly name: string;
  readonly label: string; // beside other fields
  readonly title: string; // where it stands alone
  readonly group: string; // of the picker
  readonly meaning: string;
  readonly level: boolean; // a state at the end of a window: windows are not parts of one number
  readonly not_told: Readonly<Record<string, NoMeaning>>; // by dimension
  readonly no_data: NoData | null;
  readonly may_change: boolean; // the values of recent windows may still change
  readonly null_by: readonly string[]; // dimensions by which it is null
  readonly also_called: readonly string[]; // other words that people search it by
}

interface Definition {
  readonly name: string;
  readonly label: string;
  readonly meaning: string;
}

/** A dimension as `GET /api/v2/report_definitions` shows it. */
export interface DimensionDefinition extends Definition {
  readonly members: string;
  readonly written: 'name' | 'status' | 'score' | 'hour' | 'weekday' | 'number'; // how people see its members
  readonly values: readonly (string | number)[] | null; // all members that there can be; null: those that meta names
}

/** A type of macro action. */
export interface ActionType {
  readonly name: string; // ends in the name of a field where the input is `custom`: `set-case-custom-N`
  readonly label: string;
  readonly input: ActionInput;
}

/** The input that a type of macro action needs. */
export type ActionInput =
  | { readonly kind: 'text' | 'labels' | 'language' | 'custom' } // labels: one on each line
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'member'; readonly of: 'agents' | 'groups' | 'articles' };

/**
 * Everything that a report may contain, read from the service, so that the console offers only what the service has, by its names.
 */
export interface Definitions {
  readonly fields: readonly FieldDefinition[];
  readonly durations: readonly (Definition & Pick<FieldDefinition, 'also_called' | 'no_data'>)[]; // those with statistics, such as `<duration>:p50`
  readonly statistics: readonly (Definition & Presentation)[];
  readonly dimensions: readonly DimensionDefinition[];
  readonly filter_objects: readonly (Definition & { readonly dimension: string })[]; // that with the same members
  readonly action_types: readonly ActionType[];
  readonly site: {
    readonly title: string;
    readonly time_zone: string;
    readonly week_start: string; // `monday`
    readonly locales: readonly string[];
    readonly default_locale: string;
    readonly case_url: string | null; // of a case in the help desk; `{case}` is its id
  };
}
