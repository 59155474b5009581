/** A database that runs the same queries over the same facts. */
export interface Rival {
  readonly name: string;
  readonly load: (folder: string) => Promise<void>; // the CSV files of rival-tables.ts
  readonly answer: (sql: string) => Promise<unknown[][]>;
  readonly time: (sql: string, runs: number) => Promise<number>; // as `medianTime`
  readonly close: () => Promise<void>;
}
