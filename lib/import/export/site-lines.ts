import { isMark } from '../../history/cases/event.ts';
import { walkLedger } from '../../history/rewrite.ts';
import type { ImportContext } from '../import-rows.ts';
import { eventRecord } from './event-record.ts';
import { type RecordJson, referenceRecords } from './reference-record.ts';

/** How many records an export has written so far. */
export interface ExportCount {
  records: number; // reference records
  events: number;
  marks: number; // versions without events
}

const TOGETHER = 65_536; // characters

/**
 * Yields all of a site as NDJSON that can be imported again: reference records, then events with their sources and
 * versions. Holds only one leaf of the ledger in memory. Live events that arrive meanwhile may be missing.
 */
export async function* siteLines(context: ImportContext, count: ExportCount): AsyncGenerator<string> {
  let text = '';
  for await (const record of siteRecords(context, count)) {
    text += `${JSON.stringify(record)}\n`;
    if (text.length < TOGETHER) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

async function* siteRecords(context: ImportContext, count: ExportCount): AsyncGenerator<RecordJson> {
  for await (const record of referenceRecords(context)) {
    count.records += 1;
    yield record;
  }
  for await (const known of walkLedger(context)) {
    for (const events of known.values()) {
      for (const event of events) {
        count[isMark(event) ? 'marks' : 'events'] += 1;
        yield eventRecord(event);
      }
    }
  }
}
