import { readFile } from 'node:fs/promises';
import type { Built } from '../lib/console/built.ts';
import { createPages } from '../lib/console/pages.ts';
import { ownJson } from '../lib/own-json.ts';
import { noTable } from './no-table.ts';
import { answer, FILE_ORIGIN } from './wiring.ts';

let built: Promise<Built> | undefined;

/** Reads the console from the file beside the function's code, written by `infra/console/write.ts`. */
const load = (): Promise<Built> =>
  (built ??= readFile(new URL('console.json', import.meta.url), 'utf8').then(ownJson<Built>));

/** Serves the console and the API reference: the same for everybody, without credentials or a table. */
export const handler = answer([], { table: noTable, pages: createPages(load, FILE_ORIGIN) });
