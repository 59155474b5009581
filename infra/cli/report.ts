import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Command, Option } from 'commander';
import * as z from 'zod';
import { Failure } from '../../lib/errors.ts';
import type { FaultTree } from '../../lib/fault-details.ts';
import { parseBody } from '../../lib/http/fields.ts';
import { metaShape } from '../../lib/insights/meta.ts';
import { reportShape } from '../../lib/insights/report.ts';
import { readRequest } from '../../lib/insights/request.ts';
import { zonedTime } from '../../lib/insights/windows.ts';
import { Fault } from '../fault.ts';
import type { Place } from '../local/table/place.ts';
import { ask, askText } from './ask.ts';
import { type Outcome, onTable, placeShape, withExample } from './command.ts';
import { reportTable } from './report-text.ts';
import { requireSite } from './site.ts';

const shape = {
  json: placeShape.json,
  site: z.string(),
  output: z.enum(['table', 'csv', 'json']),
  human: z.boolean().optional(),
};
type Given = z.infer<z.ZodObject<typeof shape>>;

/** `report` (docs/interface.md): what HTTP answers, for a person or another program. */
export function reportCommand(): Command {
  const command = new Command('report')
    .description('compute a report on a site')
    .argument('<request>', 'file with the body that HTTP takes; - reads standard input')
    .requiredOption('--site <name>', 'name of the site')
    .addOption(new Option('--output <form>', 'of the answer').choices(['table', 'csv', 'json']).default('table'))
    .option('--human', 'in a table, durations as 2d 4h instead of seconds');
  return onTable(withExample(command, 'report request.json --site demo --human'), shape, (place, given, [file = '']) =>
    doReport(place, given, file),
  );
}

async function doReport(
  { table }: Place,
  { site: name, output, human = false, json: asJson = false }: Given,
  file: string,
): Promise<Outcome> {
  const site = await requireSite(table, name);
  const body = await readRequestFile(file);
  try {
    const { time } = readRequest(parseBody(body), site, Date.now());
    if (output === 'csv' && !asJson) {
      const csv = await askText(table, site, 'createReport', { body, query: { format: 'csv' } });
      return { text: csv.trimEnd(), json: null };
    }
    const json = await ask(table, site, 'createReport', body);
    if (output === 'json' || asJson) return { text: JSON.stringify(json, null, 2), json };
    const report = reportShape().parse(json);
    const meta = metaShape().parse(await ask(table, site, 'showMeta', Buffer.alloc(0)));
    const zone = 'name' in time.zone ? time.zone.name : `UTC${zonedTime(time.zone, time.min).slice(-6)}`;
    return { text: reportTable(report, meta, { zone, human }), json };
  } catch (error) {
    throw error instanceof Failure ? toFault(error, file) : error;
  }
}

async function readRequestFile(file: string): Promise<Buffer> {
  if (file === '-') return Buffer.from(await text(process.stdin));
  try {
    return await readFile(file);
  } catch {
    throw new Fault(`${file} cannot be read: name a file with a report's request, or - for standard input.`);
  }
}

/** What HTTP would answer with 400 or 422, as a sentence. */
function toFault(failure: Failure, file: string): Error {
  if (failure.kind === 'bad_request') return new Fault(`${file} is no JSON object: it must be a report's request.`);
  if (failure.kind !== 'invalid') return failure;
  const places = failure.errors === undefined ? [] : placesOf(failure.errors);
  return new Fault(`${file} is no report's request: ${places.join('; ')}.`);
}

/** `time.max: invalid` and so on, for each fault. */
function placesOf(tree: FaultTree, above: readonly string[] = []): string[] {
  return Object.entries(tree).flatMap(([name, below]) => {
    const path = [...above, name];
    return Array.isArray(below) ? [`${path.join('.')} ${below.join(', ')}`] : placesOf(below, path);
  });
}
