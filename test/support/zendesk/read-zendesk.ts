import { tmpdir } from 'node:os';
import { type FindingsSummary, newFindings } from '../../../lib/import/formats/findings.ts';
import { newLineNumbers } from '../../../lib/import/formats/line-numbers.ts';
import { type Row, rowsIn } from '../../../lib/import/formats/row.ts';
import type { HistoryRecord } from '../../../lib/import/records/records.ts';
import { ZENDESK_DEFAULTS, type ZendeskOptions } from '../../../lib/import/zendesk/options.ts';
import { type NamedBytes, readZendesk } from '../../../lib/import/zendesk/read.ts';
import { bytesOf } from '../generators/read-rows.ts';

/** The result of reading Zendesk's files. */
export interface ReadZendesk {
  readonly rows: readonly Row[];
  readonly records: readonly HistoryRecord[];
  readonly findings: FindingsSummary;
}

async function* named(files: readonly string[]): AsyncGenerator<NamedBytes> {
  for (const [place, text] of files.entries()) yield { name: `file ${place + 1}`, bytes: bytesOf(text) };
}

/** Reads files from their texts. */
export async function readZendeskFiles(
  files: readonly string[],
  options: Partial<ZendeskOptions> = {},
): Promise<ReadZendesk> {
  const findings = newFindings();
  const reading = {
    options: { ...ZENDESK_DEFAULTS, ...options },
    folder: tmpdir(),
    lineNumbers: newLineNumbers(),
    findings,
  };
  const rows: Row[] = [];
  for await (const batch of readZendesk(named(files), reading)) rows.push(...rowsIn(batch));
  const records = rows.flatMap((row) => ('records' in row ? row.records : []));
  return { rows, records, findings: findings.summary() };
}
