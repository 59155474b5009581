import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { Site } from '../../../lib/access/site-fields.ts';
import { readNdjson } from '../../../lib/import/formats/ndjson.ts';
import type { Batch } from '../../../lib/import/formats/row.ts';
import { type ImportSummary, importRows, type Rejected } from '../../../lib/import/import-rows.ts';
import { createCollections } from '../../../lib/store/collection.ts';
import type { Table } from '../../../lib/store/table.ts';
import { ALL_TELLINGS, type Telling } from '../../../lib/vocabulary.ts';
import { bytesOf } from '../generators/read-rows.ts';

type Imported = ImportSummary & { readonly rejected: readonly Rejected[] };

export interface ImportRecordsOptions {
  readonly now?: number; // epoch ms
  readonly dryRun?: boolean;
  readonly tells?: readonly Telling[];
}

/** Imports records as one file of NDJSON. */
export function importRecords(
  table: Table,
  site: Site,
  records: readonly unknown[],
  options: ImportRecordsOptions = {},
): Promise<Imported> {
  const lines = bytesOf(records.map((record) => JSON.stringify(record)).join('\n'));
  return importBatches(table, site, readNdjson(lines), { tells: ALL_TELLINGS, ...options });
}

/** Imports the batches of a format reader. */
export async function importBatches(
  table: Table,
  site: Site,
  batches: AsyncIterable<Batch>,
  { now = Date.parse('2026-03-01T12:00:00Z'), dryRun = false, tells }: ImportRecordsOptions = {},
): Promise<Imported> {
  const context = { table, site, collections: createCollections(), clock: () => now, newId: randomUUID };
  const rejected: Rejected[] = [];
  const summary = await importRows(context, batches, {
    spillFolder: tmpdir(),
    dryRun,
    tells,
    onRejected: (row) => rejected.push(row),
  });
  return { ...summary, rejected };
}
