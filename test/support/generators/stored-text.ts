import { inflateJson } from '../../../lib/history/segments/deflated-json.ts';
import { openRows } from '../../../lib/history/segments/history-row.ts';
import { readBlobs } from '../../../lib/history/storage/blobs.ts';
import { readManifest } from '../../../lib/history/storage/commit.ts';
import type { HistoryContext } from '../../../lib/history/storage/history-context.ts';
import { decodeLeaf } from '../../../lib/history/storage/ledger.ts';
import { segmentBlob } from '../../../lib/history/storage/manifest.ts';
import { unpackSegment } from '../../../lib/history/storage/segment-builder.ts';

/**
 * Everything that the table stores of a site, as text: its items, and the decoded leaves of the ledger and live
 * segments, with the rows that these supersede. Segments that the manifest does not name are not decoded; `orphans`
 * lists them.
 */
export async function storedText({ table, site }: HistoryContext): Promise<string> {
  const stored: unknown[] = [];
  for await (const page of table.scan())
    for (const { bytes, ...item } of page) {
      if (!item.pk.startsWith(`site#${site.name}#`)) continue;
      stored.push(item);
      if (item.pk.startsWith(`site#${site.name}#ledger`)) stored.push(decodeLeaf(bytes as Uint8Array));
      if (item.pk.startsWith(`site#${site.name}#changes`)) stored.push(inflateJson(bytes as Uint8Array));
    }
  const { segments } = await readManifest(table, site.name);
  const blobs = await readBlobs(table, site.name, segments.map(segmentBlob));
  for (const [place, { kind }] of segments.entries()) {
    const { superseded, columns } = unpackSegment(blobs[place]!);
    const { subjects, row } = openRows(kind, columns);
    stored.push(superseded, ...subjects().map((_, at) => row(at)));
  }
  return JSON.stringify(stored);
}
