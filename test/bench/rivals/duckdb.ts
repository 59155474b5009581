import { DuckDBInstance } from '@duckdb/node-api';
import { medianTime } from '../figures.ts';
import type { Rival } from './rival.ts';
import { csvOf, RIVAL_TABLES } from './rival-tables.ts';

/** Starts DuckDB in memory, with facts sorted by kind and time, so that its zone maps can skip blocks. */
export async function startDuckdb(threads: number): Promise<Rival> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(threads), memory_limit: '6GB' });
  const connection = await instance.connect();
  return {
    name: `DuckDB, ${threads === 1 ? 'one thread' : `${threads} threads`}`,
    load: async (folder) => {
      for (const [name, columns] of Object.entries(RIVAL_TABLES)) {
        await connection.run(`CREATE TABLE ${name} (${columns})`);
        const order = name === 'fact' ? 'ORDER BY kind, t' : '';
        await connection.run(`INSERT INTO ${name} SELECT * FROM read_csv('${csvOf(folder, name)}', header = false,
          columns = ${columnsOf(columns)}) ${order}`);
      }
    },
    answer: async (sql) => (await connection.runAndReadAll(sql)).getRowsJson(),
    time: (sql, runs) => medianTime(runs, () => connection.runAndReadAll(sql)),
    close: async () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Turns the column list `id integer, …` into the struct that `read_csv` needs. */
const columnsOf = (columns: string): string =>
  `{${columns
    .split(', ')
    .map((column) => column.split(' '))
    .map(([name, type]) => `'${name}': '${type}'`)
    .join(', ')}}`;
