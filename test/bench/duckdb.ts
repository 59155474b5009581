import { DuckDBInstance } from '@duckdb/node-api';
import { median } from './figures.ts';
import type { Rival } from './rival.ts';
import { csvOf, RIVAL_TABLES } from './rival-tables.ts';

/** DuckDB in memory, with facts sorted by kind and time so that its zone maps skip what a query does not need. */
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
    time: async (sql, runs) => {
      const times: number[] = [];
      for (let turn = 0; turn <= runs; turn += 1) {
        const start = performance.now();
        await connection.runAndReadAll(sql);
        times.push(performance.now() - start);
      }
      return median(times.slice(1));
    },
    close: async () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** `id integer, …` as the struct that `read_csv` takes. */
const columnsOf = (columns: string): string =>
  `{${columns
    .split(', ')
    .map((column) => column.split(' '))
    .map(([name, type]) => `'${name}': '${type}'`)
    .join(', ')}}`;
