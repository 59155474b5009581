import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import * as z from 'zod';
import { parseRecord } from '../../lib/import/records/records.ts';
import type { ReferenceRecord } from '../../lib/import/records/reference-record.ts';
import { takeReference } from '../../lib/import/reference/take-reference.ts';
import { LAST_POSITION, parseSlaPolicy, type SlaTarget } from '../../lib/insights/promises/sla-policies.ts';
import { Rejection } from '../../lib/json-readers.ts';
import { createCollections } from '../../lib/store/collection.ts';
import { keys, type ReferenceKind } from '../../lib/store/keys.ts';
import type { Item } from '../../lib/store/table.ts';
import { Fault } from '../fault.ts';
import type { Place } from '../local/table/place.ts';
import { commandTable } from './audited.ts';
import { onTable, siteOption, withExample } from './command.ts';
import { duration } from './duration.ts';
import { wholeNumber } from './report/request-options.ts';
import { requireSite } from './site.ts';

const shape = { site: z.string(), from: z.string().optional(), remove: z.number().optional() };

/** A kind of records that a command shows and imports from a file. */
interface Kind {
  readonly command: string;
  readonly kind: Extract<ReferenceKind, 'calendar' | 'sla_policy'>;
  readonly noun: string;
  readonly about: string;
  readonly line: (item: Readonly<Record<string, unknown>>) => string;
}

/** `calendar`: the working hours. */
export const calendarCommand = (): Command =>
  recordsCommand({
    command: 'calendar',
    kind: 'calendar',
    noun: 'calendar',
    about: 'show when work is done at a site, or set it from a file of calendar records',
    line: ({ id, name, time_zone, default: isDefault, groups }) =>
      `${id}  ${name}  ${time_zone}${isDefault === true ? '  default' : ''}${Array.isArray(groups) && groups.length > 0 ? `  groups ${groups.join(', ')}` : ''}`,
  });

/** `sla`: the response times promised to cases. */
export const slaCommand = (): Command =>
  recordsCommand({
    command: 'sla',
    kind: 'sla_policy',
    noun: 'policy',
    about: 'show what is promised to which cases at a site, or set it from a file of policy records',
    line: (item) => {
      const { id, name, position, filters, targets } = parseSlaPolicy(item);
      const place = position === LAST_POSITION ? 'last' : `position ${position}`;
      const whom = filters === null || filters.length === 0 ? 'all cases' : 'cases that its filters let through';
      return [`${id}  ${name}  ${place}  ${whom}`, ...targets.map((target) => `   ${promiseText(target)}`)].join('\n');
    },
  });

function promiseText({ metric, seconds, hours, priorities }: SlaTarget): string {
  const clock = hours === 'business' ? ' of working time' : '';
  const whom = priorities === null ? '' : `, priorities ${priorities.join(', ') || 'none'}`;
  return `${metric} within ${seconds} s (${duration(seconds)})${clock}${whom}`;
}

function recordsCommand(kind: Kind): Command {
  const command = siteOption(new Command(kind.command))
    .description(kind.about)
    .option(
      '--from <file>',
      'a JSON file with one record or a list of them; a record changes the one with its id, or is added',
    )
    .option('--remove <id>', `the id of a ${kind.noun} to remove`, wholeNumber);
  const example = `${kind.command} --site acme --from ${kind.command}.json`;
  return onTable(withExample(command, example), shape, (place, given) => doRecords(place, kind, given));
}

async function doRecords({ table }: Place, kind: Kind, given: z.infer<z.ZodObject<typeof shape>>) {
  if (given.from !== undefined && given.remove !== undefined)
    throw new Fault('--from and --remove exclude each other: run the command twice.', 2);
  const site = await requireSite(table, given.site);
  const { pk } = keys.reference(site.name, kind.kind);
  const present = async () => (await table.query(pk, { prefix: 'item#' })).filter(({ deleted }) => deleted !== true);
  const records = given.from === undefined ? [] : readRecords(given.from, kind);
  if (given.remove !== undefined) {
    const { remove: id } = given;
    if (!(await present()).some((item) => item.id === id))
      throw new Fault(`${site.name} has no ${kind.noun} ${id}: without --remove this command lists those it has.`);
    records.push({ type: kind.kind, id, deleted: true });
  }
  const collections = createCollections();
  for (const record of records) {
    const action = given.remove === undefined ? 'update' : 'delete';
    const resource = 'id' in record ? `${kind.command}/${record.id}` : kind.command;
    const audited = commandTable(table, site.name, { action, resource });
    const target = { site: site.name, table: audited.table, collections, now: Date.now() };
    const refusal = await takeReference(target, record, undefined); // these kinds of records are never erased
    if (refusal !== undefined) throw new Fault(`${given.from}: ${refusal}.`);
  }
  const items = await present();
  const shown = items.sort((a, b) => Number(a.id) - Number(b.id)).map(recordOf);
  const text = shown.length === 0 ? `${site.name} has no ${kind.noun}.` : shown.map(kind.line).join('\n');
  return { text, json: shown };
}

/** An item as a record of a file, so that the output can be edited and imported again. */
const recordOf = ({ pk: _pk, sk: _sk, deleted: _deleted, updated_at: _updated, ...record }: Item) => record;

/** The records of a file; all are checked before the first is written. */
function readRecords(file: string, { kind }: Kind): ReferenceRecord[] {
  const read: unknown = parsed(file);
  return (Array.isArray(read) ? read : [read]).map((value: unknown, index) => {
    try {
      const record = parseRecord(typeof value === 'object' ? { ...value, type: kind } : value);
      if ('at' in record) throw new Rejection(`type: is no ${kind}`);
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
