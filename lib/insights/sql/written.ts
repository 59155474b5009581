import type { Context } from '../../context.ts';
import type { CustomValue } from '../../history/cases/case-row.ts';
import type { HistoryReader } from '../../history/read.ts';
import { openSegment } from '../../history/segments/segment.ts';
import { unavailable } from '../../store/faults.ts';
import { createReader } from '../compute.ts';
import { listedFields, type Reference } from '../reference.ts';
import type { ReportRequest } from '../request.ts';
import { isNamed, readReference } from '../site-reference.ts';
import { fixedMembers } from '../unknown-members.ts';
import { ALL_TIME } from '../windows.ts';
import type { StatementDialect } from './dialect.ts';
import type { HistoryMembers } from './members.ts';
import { askReport } from './report.ts';

/** Writes the statement that gives a report, as of now, over the files of an export. Throws as a report does. */
export async function writeStatement(
  context: Context,
  request: ReportRequest,
  dialect: StatementDialect,
): Promise<string> {
  const reference = await readReference(context, request);
  const known = await knownMembers(request, reference, (fields) =>
    valuesOf(context, context.shared(createReader), fields),
  );
  return askReport({ site: context.site.name, request, reference, known }, dialect).sql;
}

/**
 * What filters by texts are compared with: members that have reference records, as all that occur do, and values of
 * custom fields with a list, which `valuesIn` gives. Of other fields it matters only whether a case has one.
 */
export async function knownMembers(
  { filters }: ReportRequest,
  { names, customFields }: Reference,
  valuesIn: (fields: ReadonlySet<number>) => Promise<Iterable<CustomValue>>,
): Promise<HistoryMembers> {
  const asksValues = (filters ?? []).flat().some(({ object }) => object === 'Custom Fields');
  const fields = asksValues ? [...customFields.keys()] : [];
  const listed = new Set(asksValues ? listedFields({ customFields }) : []);
  return {
    ids: (dictionary) => (isNamed(dictionary) ? names[dictionary].keys() : fixedMembers(dictionary)),
    customValues: [
      ...fields.flatMap((field) => (listed.has(field) ? [] : [{ field, value: '' }])),
      ...(listed.size === 0 ? [] : await valuesIn(listed)),
    ],
  };
}

async function valuesOf(context: Context, reader: HistoryReader, fields: ReadonlySet<number>): Promise<CustomValue[]> {
  const wanted = { from: ALL_TIME.min, to: ALL_TIME.max, kinds: ['cases'] } as const;
  return reader.read(context, wanted, async ({ segments }) => {
    const values = new Map<string, CustomValue>();
    for await (const part of segments) {
      if (context.clock() > context.deadline) throw unavailable();
      for (const { columns } of part)
        for (const each of openSegment(columns).customValues())
          if (fields.has(each.field)) values.set(`${each.field}:${each.value}`, each);
    }
    return [...values.values()];
  });
}
