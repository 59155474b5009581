import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPlace } from '../../../infra/local/table/place.ts';
import { hashPassword } from '../../../lib/access/passwords/passwords.ts';
import { NEW_SITE } from '../../../lib/access/site-fields.ts';
import { compact } from '../../../lib/history/compact.ts';
import type { HistoryContext } from '../../../lib/history/storage/history-context.ts';
import type { Row } from '../../../lib/import/formats/row.ts';
import { loadHistory } from '../../../lib/import/load.ts';
import { readSettings } from '../../../lib/settings.ts';
import type { Table } from '../../../lib/store/table.ts';
import { writeReferences } from '../../support/generators/reference.ts';
import { addSite, putUser } from '../../support/service/stored-access.ts';
import { madeEvents, madeReference } from './history.ts';

export const SITE = 'bench';
export const USER = { login: 'bench@bench.example', password: 'bench password' } as const;

/** A data folder with one site that has the made-up history of a scale. */
export interface MadeSite {
  readonly dataDir: string;
  readonly loaded: Loaded;
  readonly remove: () => void; // keeps a folder that the caller named, so that it can be used again
}

interface Loaded {
  readonly scale: number;
  readonly events: number;
  readonly seconds: number; // to load and to compact
}

/** Makes the site, or reuses the one of the same scale that an earlier run left in `dataDir`. */
export async function madeSite(scale: number, dataDir?: string): Promise<MadeSite> {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'bench-site-'));
  const note = join(folder, `loaded-${scale}.json`);
  const remove = dataDir === undefined ? () => rmSync(folder, { recursive: true, force: true }) : () => undefined;
  if (existsSync(note)) {
    await withHistory(folder, ({ table }) => loadReferences(table));
    return { dataDir: folder, loaded: JSON.parse(readFileSync(note, 'utf8')), remove };
  }
  mkdirSync(folder, { recursive: true });
  const loaded = await withHistory(folder, async (context) => {
    await prepare(context);
    return load(context, scale, folder);
  });
  writeFileSync(note, JSON.stringify(loaded));
  return { dataDir: folder, loaded, remove };
}

/** Does some work with the history of a data folder's site. */
export async function withHistory<T>(dataDir: string, work: (context: HistoryContext) => Promise<T>): Promise<T> {
  const place = await openPlace({ dataDir }, readSettings());
  try {
    return await work({ table: place.table, site: { name: SITE }, clock: Date.now, newId: randomUUID });
  } finally {
    await place.close();
  }
}

/** Makes a site in a data folder with one user and the reference data, without a history. */
export const emptySite = (dataDir: string): Promise<void> => withHistory(dataDir, prepare);

async function prepare({ table }: HistoryContext): Promise<void> {
  await addSite(table, { ...NEW_SITE, name: SITE, title: SITE, hosts: ['bench.localhost'] }, { default: true });
  const password = await hashPassword(USER.password);
  await putUser(table, SITE, { login: USER.login, role: 'Administrator', deleted: false, password }, true);
  await loadReferences(table);
}

/** Loads the made-up history of a scale into a site and compacts it. */
export async function load(context: HistoryContext, scale: number, spillFolder: string): Promise<Loaded> {
  const start = performance.now();
  const { read } = await loadHistory(context, madeRows(scale), {
    spillFolder,
    onReference: () => undefined,
    onRejected: ({ reason }) => {
      throw new Error(reason);
    },
    onConflict: (line) => {
      throw new Error(`event ${line} is there already`);
    },
  });
  await compact(context);
  return { scale, events: read, seconds: (performance.now() - start) / 1000 };
}

const KINDS = ['agent', 'group', 'label', 'channel', 'company', 'custom_field', 'calendar', 'sla_policy'] as const;

/** Writes the site's reference data, even if an earlier run did, since that may have lacked some records. */
async function loadReferences(table: Table): Promise<void> {
  const records = madeReference();
  for (const kind of KINDS) {
    const ofKind = records.flatMap((record) => (record.type === kind ? [{ ...record }] : []));
    await writeReferences(table, SITE, kind, ofKind);
  }
}

/** The made-up events in the form of a format reader's batches. */
async function* madeRows(scale: number): AsyncGenerator<readonly Row[]> {
  let batch: Row[] = [];
  let line = 0;
  for (const event of madeEvents(scale)) {
    batch.push({ line: (line += 1), raw: '', records: [event] });
    if (batch.length === 1000) {
      yield batch;
      batch = [];
    }
  }
  yield batch;
}
