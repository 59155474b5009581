import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import * as z from 'zod';
import { parseRecord } from '../../lib/import/records/records.ts';
import type { MemberRecord } from '../../lib/import/reference/member.ts';
import { editsOf } from '../../lib/import/reference/member-records.ts';
import { CALENDARS } from '../../lib/insights/promises/calendar.ts';
import { POLICIES, parseSlaPolicy } from '../../lib/insights/promises/policy.ts';
import { LAST_POSITION, type SlaTarget } from '../../lib/insights/promises/sla-policies.ts';
import { Rejection } from '../../lib/json-readers.ts';
import { change } from '../../lib/resource/change.ts';
import { namesOf } from '../../lib/resource/routes.ts';
import { Fault } from '../fault.ts';
import { line, type OptionsOf, value } from './command.ts';
import { durationText } from './report/report-text.ts';
import { wholeNumber } from './report/request-options.ts';
import type { RouteCaller } from './route-caller.ts';
import { onSite, type SitePlace } from './site.ts';

const OPTIONS = {
  from: line(
    '<file>',
    'a JSON file with one record or a list of them; a record changes the one with its id, or is added',
  ),
  remove: value('<id>', 'the id of one to remove', wholeNumber),
};

const MOST = 90; // records of a file, which one transaction writes

/** A resource that a command shows by its routes, and sets from a file of records. */
interface Kind {
  readonly command: string;
  readonly resource: Pick<typeof CALENDARS | typeof POLICIES, 'one' | 'path' | 'storing'>;
  readonly about: string;
  readonly line: (entry: Entry) => string;
}

const entryShape = z.looseObject({ id: z.int() });
type Entry = z.infer<typeof entryShape>;

/** `calendar`: the working hours. */
export const calendarCommand = (): Command =>
  recordsCommand({
    command: 'calendar',
    resource: CALENDARS,
    about: 'show when work is done at a site, or set it from a file of calendar records',
    line: (entry) => {
      const { id, name, time_zone, default: isDefault, groups } = CALENDARS.parse(entry);
      const whose = groups.length > 0 ? `  groups ${groups.join(', ')}` : '';
      return `${id}  ${name}  ${time_zone}${isDefault ? '  default' : ''}${whose}`;
    },
  });

/** `sla`: the response times promised to cases. */
export const slaCommand = (): Command =>
  recordsCommand({
    command: 'sla',
    resource: POLICIES,
    about: 'show what is promised to which cases at a site, or set it from a file of policy records',
    line: (entry) => {
      const { id, name, position, filters, targets } = parseSlaPolicy(entry);
      const place = position === LAST_POSITION ? 'last' : `position ${position}`;
      const whom = filters === null || filters.length === 0 ? 'all cases' : 'cases that its filters let through';
      return [`${id}  ${name}  ${place}  ${whom}`, ...targets.map((target) => `   ${promiseText(target)}`)].join('\n');
    },
  });

function promiseText({ metric, seconds, hours, priorities }: SlaTarget): string {
  const clock = hours === 'business' ? ' of working time' : '';
  const whom = priorities === null ? '' : `, priorities ${priorities.join(', ') || 'none'}`;
  return `${metric} within ${seconds} s (${durationText(seconds)})${clock}${whom}`;
}

const recordsCommand = (kind: Kind): Command =>
  onSite([kind.command, kind.about, `--site acme --from ${kind.command}.json`], OPTIONS, (place, options) =>
    doRecords(place, kind, options),
  );

async function doRecords({ site, caller }: SitePlace, kind: Kind, options: OptionsOf<typeof OPTIONS>) {
  if (options.from !== undefined && options.remove !== undefined)
    throw new Fault('--from and --remove exclude each other: run the command twice.', 2);
  const { one, many, noun, param } = namesOf(kind.resource);
  if (options.from !== undefined) await setRecords(caller, kind.resource, readRecords(options.from, kind.resource));
  if (options.remove !== undefined) await caller.reply(`delete${one}`, { params: { [param]: String(options.remove) } });
  const entries = await caller.entries(`list${many}`, entryShape);
  const text = entries.length === 0 ? `${site.name} has no ${noun}.` : entries.map(kind.line).join('\n');
  return { text, json: entries.map(({ _links, ...record }) => record) }; // the output can be edited and imported again
}

/** Writes all records in one transaction; each has its own id, while the route that creates one gives it an id. */
async function setRecords(caller: RouteCaller, { path, storing }: Kind['resource'], records: readonly MemberRecord[]) {
  const [first] = records;
  const many = path.slice('/api/v2/'.length);
  const resource = first !== undefined && records.length === 1 ? `${many}/${first.id}` : many;
  const count = records.length > 1 ? { count: records.length } : {};
  await caller.change({ action: 'update', resource, ...count }, async (context) => {
    const collection = await context.open(storing.partition(context.site.name));
    const lines = records.map((record, index) => ({ record, line: index + 1 }));
    const { edits } = editsOf(collection, lines, context.now);
    await change(context, [{ collection, storing, edits }]);
  });
}

/** The records of a file; all are checked before the first is written. */
function readRecords(file: string, { one }: Kind['resource']): MemberRecord[] {
  const read: unknown = parsed(file);
  const values: readonly unknown[] = Array.isArray(read) ? read : [read];
  if (values.length > MOST)
    throw new Fault(`${file} has ${values.length} records: one file has at most ${MOST}, which are written together.`);
  return values.map((value, index) => {
    try {
      const record = parseRecord(typeof value === 'object' ? { ...value, type: one } : value);
      if ('at' in record || (record.type !== 'calendar' && record.type !== 'sla_policy'))
        throw new Rejection(`type: is no ${one}`);
      return record;
    } catch (error) {
      if (error instanceof Rejection) throw new Fault(`${file}, record ${index + 1}: ${error.message}.`);
      throw error;
    }
  });
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Fault(`${file} cannot be read as JSON: ${error instanceof Error ? error.message : error}.`);
  }
}
