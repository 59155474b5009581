import type * as z from 'zod';
import type { CasePage } from '../../../lib/insights/cases/cases.ts';
import type { ShownCase } from '../../../lib/insights/cases/shown-case.ts';
import type { storyShape } from '../../../lib/insights/cases/story.ts';
import { fieldNamed, isFieldName } from '../../../lib/insights/definitions/fields.ts';
import { columns } from '../columns.ts';
import { durationText, printableName } from './report-text.ts';
import { namesIn, type ReadMembers } from './site-members.ts';

const HEADER = ['case', 'at', 'value', 'status', 'channel', 'priority', 'assignee', 'group', 'labels', 'company'];
const VALUE = 2; // its index in the header

/** The cases behind a number as an aligned table, with members by name. */
export async function casesTable(page: CasePage, members: ReadMembers, human: boolean): Promise<string> {
  const { request, total_entries, cases, unknown } = page;
  const [field] = Array.isArray(request.fields) ? request.fields.map(String) : [];
  const [channel, agent, group, label, company] = await Promise.all(
    (['channels', 'agents', 'groups', 'labels', 'companies'] as const).map(async (kind) =>
      namesIn(await members(kind)),
    ),
  );
  const shown = (value: number): string =>
    human && isDuration(field) ? durationText(value) : value.toLocaleString('en-US');
  const named = (nameOf: typeof channel, id: number | null): string =>
    id === null ? '' : printableName(nameOf?.(id) ?? '');
  const rows = cases.map((one: ShownCase) => [
    ...[printableName(String(one.case)), one.at, one.counted ? shown(one.value) : `(${shown(one.value)})`],
    one.deleted ? `${one.status}, deleted` : one.status,
    ...[named(channel, one.channel), String(one.priority ?? ''), named(agent, one.assignee), named(group, one.group)],
    ...[one.labels.map((id) => named(label, id)).join(', '), named(company, one.company)],
  ]);
  const of = cases.length === total_entries ? '' : ` of ${total_entries.toLocaleString('en-US')}`;
  const uncounted = cases.some(({ counted }) => !counted) ? ' In brackets: only in the denominator.' : '';
  const missing = unknown === undefined ? '' : ' Some members or ids of the request do not exist: see --json.';
  const right = HEADER.map((_, index) => index === VALUE);
  const table = columns(HEADER, rows, right) || 'No cases.';
  return `${table}\n\n${cases.length.toLocaleString('en-US')}${of} ${total_entries === 1 ? 'entry' : 'entries'}.${uncounted}${missing}`;
}

type Story = z.infer<ReturnType<typeof storyShape>>;

/** The story of a case: its events, then what reports count of it. */
export function storyText({ case: key, events, facts }: Story, human: boolean): string {
  const rows = events.map((event) => [event.at, event.type, printableName(detailsOf(event))]);
  const counted = facts.map(({ field, at, agent, group, value, counted }) => [
    ...[at, field, agent === null ? '' : String(agent), group === null ? '' : String(group)],
    `${human && isDuration(field) ? durationText(value) : value.toLocaleString('en-US')}${counted ? '' : ' (only in the denominator)'}`,
  ]);
  const factTable = columns(['at', 'field', 'agent', 'group', 'value'], counted) || 'Nothing.';
  return `Case ${key}\n\n${columns(['at', 'event', 'details'], rows)}\n\nWhat reports count of it:\n${factTable}`;
}

const isDuration = (field: string | undefined): boolean => isFieldName(field) && fieldNamed(field).unit === 'seconds';

/** An event's properties besides its type and time, with members by name. */
function detailsOf({ type: _type, id: _id, at: _at, names, ...rest }: Story['events'][number]): string {
  return Object.entries(rest)
    .map(
      ([part, value]) =>
        `${part}: ${names[part] === undefined ? JSON.stringify(value) : [names[part]].flat().join(', ')}`,
    )
    .join('; ');
}
