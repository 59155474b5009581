import type { Context } from '../../context.ts';
import type { CustomValue } from '../../history/cases/case-row.ts';
import type { HistoryReader } from '../../history/read.ts';
import { openSegment } from '../../history/segments/segment.ts';
import { DICTIONARIES, type DictionaryName } from '../../history/segments/segment-columns.ts';
import { createReader } from '../compute.ts';
import type { ReportRequest } from '../request.ts';
import { readReference } from '../site-reference.ts';
import { ALL_TIME } from '../windows.ts';
import type { StatementDialect } from './dialect.ts';
import type { KnownMembers } from './members.ts';
import { askReport } from './report.ts';

/** Writes the statement that gives a report, as of now, over the files of an export. Throws as a report does. */
export async function writeStatement(
  context: Context,
  request: ReportRequest,
  dialect: StatementDialect,
): Promise<string> {
  const reference = await readReference(context, request);
  const known = request.filters === null ? NOTHING : await readKnown(context, context.shared(createReader));
  return askReport({ site: context.site.name, request, reference, known }, dialect).sql;
}

const NOTHING: KnownMembers = { ids: () => [], customValues: [] };

/** Reads what occurs in a history, from the dictionaries of its segments alone. */
async function readKnown(context: Context, reader: HistoryReader): Promise<KnownMembers> {
  const wanted = { from: ALL_TIME.min, to: ALL_TIME.max, kinds: ['cases'] } as const;
  return reader.read(context, wanted, async ({ segments }) => {
    const ids = new Map<DictionaryName, Set<number>>(DICTIONARIES.map((name) => [name, new Set()]));
    const values = new Map<string, CustomValue>();
    for await (const part of segments) {
      for (const { columns } of part) {
        const segment = openSegment(columns);
        for (const [name, known] of ids) for (const id of segment.dictionary(name)) known.add(id);
        for (const each of segment.customValues()) values.set(`${each.field}:${each.value}`, each);
      }
    }
    return { ids: (dictionary) => ids.get(dictionary) ?? [], customValues: [...values.values()] };
  });
}
