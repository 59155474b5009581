import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { Site } from '../../lib/access/sites.ts';
import { readNdjson } from '../../lib/history/formats/ndjson.ts';
import { type ImportContext, type ImportSummary, importRows, type Rejected } from '../../lib/import/import-rows.ts';
import { createCollections } from '../../lib/store/collection.ts';
import type { Table } from '../../lib/store/table.ts';
import { bytesOf } from './read-rows.ts';

/** Imports records, one a line, at a time in epoch ms. */
export async function importRecords(
  table: Table,
  site: Site,
  records: readonly unknown[],
  options: { readonly now?: number; readonly dryRun?: boolean } = {},
): Promise<ImportSummary & { readonly rejected: readonly Rejected[] }> {
  const now = options.now ?? Date.parse('2026-03-01T12:00:00Z');
  const context: ImportContext = {
    table,
    site,
    collections: createCollections(),
    clock: () => now,
    newId: randomUUID,
  };
  const rejected: Rejected[] = [];
  const lines = bytesOf(records.map((record) => JSON.stringify(record)).join('\n'));
  const summary = await importRows(context, readNdjson(lines), {
    spillFolder: tmpdir(),
    dryRun: options.dryRun ?? false,
    onRejected: (row) => rejected.push(row),
  });
  return { ...summary, rejected };
}
