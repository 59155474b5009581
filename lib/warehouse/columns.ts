import type { ColumnSource } from 'hyparquet-writer';

/** What a column holds, as Parquet and SQL type it. */
export type ColumnType = 'text' | 'id' | 'instant' | 'flag' | 'ids' | 'resolves' | 'texts';

/** A column of a table of the warehouse. */
export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable?: true;
  readonly meaning: string; // one sentence
}

/** A node of a Parquet schema, as hyparquet-writer takes it. */
type SchemaElement = NonNullable<
  ConstructorParameters<typeof import('hyparquet-writer').ParquetWriter>[0]
>['schema'][number];

const leaf = (name: string, type: SchemaElement, nullable: boolean): SchemaElement => ({
  ...type,
  name,
  repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED',
});

const TEXT: SchemaElement = { name: '', type: 'BYTE_ARRAY', converted_type: 'UTF8' };
const WHOLE: SchemaElement = { name: '', type: 'INT64' };
/** Micros since 1970 in UTC. Without the older `converted_type` the writer takes the integers as they are. */
const INSTANT: SchemaElement = {
  name: '',
  type: 'INT64',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
};

const mapOf = (name: string, value: SchemaElement): SchemaElement[] => [
  { name, repetition_type: 'REQUIRED', converted_type: 'MAP', num_children: 1 },
  { name: 'key_value', repetition_type: 'REPEATED', num_children: 2 },
  leaf('key', WHOLE, false),
  leaf('value', value, false),
];

/** The schema of each type of column. Whole numbers have 64 bits in all files, so that all files have one schema. */
const SCHEMAS: Readonly<Record<ColumnType, (name: string, nullable: boolean) => readonly SchemaElement[]>> = {
  text: (name, nullable) => [leaf(name, TEXT, nullable)],
  id: (name, nullable) => [leaf(name, WHOLE, nullable)],
  instant: (name, nullable) => [leaf(name, INSTANT, nullable)],
  flag: (name, nullable) => [leaf(name, { name: '', type: 'BOOLEAN' }, nullable)],
  ids: (name) => [
    { name, repetition_type: 'REQUIRED', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    leaf('element', WHOLE, false),
  ],
  resolves: (name) => mapOf(name, WHOLE),
  texts: (name) => mapOf(name, TEXT),
};

/** The Parquet schema of a table. */
export const schemaOf = (columns: readonly TableColumn[]): SchemaElement[] => [
  { name: 'root', num_children: columns.length },
  ...columns.flatMap(({ name, type, nullable = false }) => SCHEMAS[type](name, nullable)),
];

/** The SQL types of each type of column: in DuckDB, and in a table of Athena. */
export const SQL_TYPES: Readonly<Record<ColumnType, { readonly duckdb: string; readonly athena: string }>> = {
  text: { duckdb: 'VARCHAR', athena: 'string' },
  id: { duckdb: 'BIGINT', athena: 'bigint' },
  instant: { duckdb: 'TIMESTAMPTZ', athena: 'timestamp' },
  flag: { duckdb: 'BOOLEAN', athena: 'boolean' },
  ids: { duckdb: 'BIGINT[]', athena: 'array<bigint>' },
  resolves: { duckdb: 'MAP(BIGINT, BIGINT)', athena: 'map<bigint,bigint>' },
  texts: { duckdb: 'MAP(BIGINT, VARCHAR)', athena: 'map<bigint,string>' },
};

/** The values of some rows, by column; `null` where a row has none. */
export type ColumnValues = Readonly<Record<string, ColumnSource['data']>>;

/** A value as a text, equal for equal values. */
export const textWithWholes = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each));

/** Rows of a table, in the order of a file. */
export interface FileRows {
  readonly digest: string; // equal for equal rows, however they were gathered
  readonly sections: readonly FileSection[];
}

/** Rows that lie in row groups of their own. */
export interface FileSection {
  readonly rows: number;
  /** The values of the rows from `from` to before `to`. */
  values(site: string, from: number, to: number): ColumnValues;
}

/** The rows of columns that are in memory. */
export const sectionOf = (values: ColumnValues): FileSection => ({
  rows: values.site?.length ?? 0,
  values: (_, from, to) =>
    Object.fromEntries(Object.entries(values).map(([name, column]) => [name, column.slice(from, to)])),
});

/** Instants rise in most files, and differences of neighbours take a tenth of the bytes. */
const ENCODINGS: Readonly<Partial<Record<ColumnType, ColumnSource['encoding']>>> = { instant: 'DELTA_BINARY_PACKED' };

/** Returns the columns of some rows in the form of the writer; throws if a column is missing. */
export const sourcesOf = (columns: readonly TableColumn[], values: ColumnValues): ColumnSource[] =>
  columns.map(({ name, type }) => {
    const data = values[name];
    if (data === undefined) throw new Error(`the column ${name} has no values`);
    const encoding = ENCODINGS[type];
    // The smallest and largest value of other columns would let no reader skip anything, and finding them takes long.
    const statistics = type === 'instant' || name === 'site' || name === 'kind';
    return { name, data, statistics, ...(encoding && { encoding }) };
  });
