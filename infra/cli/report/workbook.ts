import type { CaseEntry } from '../../../lib/console/model/cases.ts';
import type { Definitions } from '../../../lib/console/model/definitions.ts';
import { createFormat } from '../../../lib/console/model/format.ts';
import { createNames, filtersText, type Meta } from '../../../lib/console/model/names.ts';
import { type ReportReply, readReport } from '../../../lib/console/model/report/report.ts';
import { conditions } from '../../../lib/console/model/report/report-open.ts';
import { casesSheet, reportSheet, type Sheet, type SheetSite } from '../../../lib/console/model/sheet.ts';
import { ownJson } from '../../../lib/own-json.ts';
import { Fault } from '../../fault.ts';
import type { Outcome } from '../command.ts';
import type { RouteCaller } from '../route-caller.ts';

/** Prints a report as a workbook, with the table that the console exports. `json` is the API's reply. */
export async function printReport(caller: RouteCaller, json: string, now: number): Promise<Outcome> {
  const site = await siteOf(caller);
  const moment = { now, zone: site.definitions.site.time_zone, definitions: site.definitions };
  const reply = ownJson<ReportReply & { readonly request: { readonly filters: readonly unknown[] | null } }>(json);
  const filters = filtersText(site.names, (reply.request.filters ?? []).map(conditions));
  return printSheet(reportSheet(readReport(reply, moment), null, site, { filters }));
}

/** The same for the cases behind a number of `field`. */
export const printCases = async (caller: RouteCaller, cases: readonly CaseEntry[], field: string): Promise<Outcome> =>
  printSheet(casesSheet(cases, field, await siteOf(caller)));

async function siteOf(caller: RouteCaller): Promise<SheetSite & { readonly definitions: Definitions }> {
  const definitions = ownJson<Definitions>(await caller.text('showDefinitions'));
  const meta = ownJson<Meta>(await caller.text('showMeta'));
  const format = createFormat('en');
  return { definitions, format, names: createNames(definitions, meta, format) };
}

async function printSheet(sheet: Sheet): Promise<Outcome> {
  if (process.stdout.isTTY) throw new Fault('A workbook is not for a terminal: add > report.xlsx to the command.', 2);
  const { toXlsx } = await import('../../../lib/console/model/xlsx.ts'); // only where a workbook is asked for
  process.stdout.write(await toXlsx([sheet]));
  return { text: '', json: null };
}
