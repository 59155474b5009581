import type { Context } from '../../context.ts';
import { type CsvCell, csvText } from '../../csv.ts';
import type { Reply } from '../../http/reply.ts';
import { keysOf } from '../../typed-object.ts';
import { memberNames } from '../member-names.ts';
import { csvReply } from '../report-csv.ts';
import { zonedTime } from '../windows.ts';
import type { CaseRequest } from './case-request.ts';
import type { CasePage } from './cases.ts';

/** The columns with an id that have a second column, `<column>_name`, and the dimension that names the ids. */
const NAMED = {
  channel: 'channel',
  assignee: 'assigned_agent',
  group: 'assigned_group',
  company: 'company',
} as const;

const HEADER = [
  ...['case', 'at', 'value', 'counted', 'status', 'priority'],
  ...Object.keys(NAMED).flatMap((column) => [column, `${column}_name`]),
  ...['labels', 'labels_name', 'custom_fields', 'deleted'],
];

/**
 * Makes a reply with a page of cases as CSV; the header `X-Cursor` has the cursor of the next page, if there is one.
 */
export async function casesCsvReply(context: Context, { report }: CaseRequest, found: CasePage): Promise<Reply> {
  const columns = await Promise.all(
    keysOf(NAMED).map(async (column) => ({ column, nameOf: await memberNames(context, NAMED[column]) })),
  );
  const labelName = await memberNames(context, 'label');
  const rows = found.cases.map((one): CsvCell[] => [
    ...[one.case, one.at, one.value, one.counted, one.status, one.priority],
    ...columns.flatMap(({ column, nameOf }) => {
      const member = one[column];
      return [member, member === null ? null : nameOf(member)];
    }),
    one.labels.join('; '),
    one.labels.map(labelName).join('; '),
    Object.entries(one.custom_fields)
      .map(([field, value]) => `${field}: ${value}`)
      .join('; '),
    one.deleted,
  ]);
  const { zone, min } = report.time;
  const reply = csvReply(csvText([HEADER, ...rows]), `cases-${zonedTime(zone, min).slice(0, 10)}`);
  return found.cursor === null ? reply : { ...reply, headers: { ...reply.headers, 'X-Cursor': found.cursor } };
}
