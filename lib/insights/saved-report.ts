import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Context } from '../context.ts';
import { Failure, type Faults } from '../errors.ts';
import type { FaultTree } from '../fault-details.ts';
import { created, type Reply } from '../http/reply.ts';
import { idShape, linkShape, timestampShape } from '../http/shapes.ts';
import { type Collection, perVersion } from '../store/collection.ts';
import { keys, members } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import { timestamp } from '../text.ts';
import { readRequest } from './request.ts';

const stored = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  request: z.string(), // JSON of a report's body, as sent
  created_at: z.number(), // epoch ms
  updated_at: z.number(),
});

/** The request of a report, stored under a name. */
export type SavedReport = Readonly<z.infer<typeof stored>>;

/** The fields of a saved report that a client may set. */
export interface SavedReportFields {
  name?: string;
  description?: string | null;
  request?: Readonly<Record<string, unknown>>;
}

export const SAVED_REPORTS_PATH = '/api/v2/saved_reports';
export const savedReportPath = (id: number): string => `${SAVED_REPORTS_PATH}/${id}`;

/** A saved report as replies show it. */
export const savedReportShape = () =>
  z.object({
    id: idShape(),
    name: z.string(),
    description: z.string().nullable(),
    request: z.record(z.string(), z.unknown()).meta({ description: "A report's body, as sent" }),
    created_at: timestampShape(),
    updated_at: timestampShape(),
    _links: z.object({ self: linkShape('saved_report'), run: linkShape('report') }),
  });

export function showSavedReport(report: SavedReport): z.input<ReturnType<typeof savedReportShape>> {
  const { id, name, description, created_at, updated_at } = report;
  return {
    id,
    name,
    description,
    request: requestOf(report),
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
    _links: {
      self: { href: savedReportPath(id), class: 'saved_report' },
      run: { href: `${savedReportPath(id)}/run`, class: 'report' },
    },
  };
}

const anyObject = z.record(z.string(), z.unknown());

/** The report body that was saved. */
export const requestOf = ({ request }: SavedReport): Record<string, unknown> => anyObject.parse(JSON.parse(request));

/** A site's saved reports in the order of their ids. */
export const listSavedReports = (reports: Collection): readonly SavedReport[] => perVersion(reports, readSavedReports);

const readSavedReports = ({ items }: Collection): SavedReport[] =>
  [...items.values()].map((item) => stored.parse(item)).sort((a, b) => a.id - b.id);

/** Finds a saved report; throws `not_found`. */
export async function findSavedReport(context: Context, id: number): Promise<SavedReport> {
  const item = (await context.open(keys.savedReports(context.site.name))).items.get(members.savedReport(id));
  if (item === undefined) throw new Failure('not_found');
  return stored.parse(item);
}

const REQUEST_SIZE = 64 * 1024; // bytes of JSON

/** Checks the request of a report to be saved; adds its faults to `faults`, with paths below `request`. */
export function checkRequest({ site, now }: Context, { request }: SavedReportFields, faults: Faults): void {
  if (request === undefined) return;
  if (Buffer.byteLength(JSON.stringify(request)) > REQUEST_SIZE) {
    faults.add('too_long', 'request');
    return;
  }
  try {
    readRequest(request, site, now);
  } catch (error) {
    if (!(error instanceof Failure) || error.errors === undefined) throw error;
    addBelow(faults, error.errors, ['request']);
  }
}

function addBelow(faults: Faults, tree: FaultTree, path: readonly string[]): void {
  for (const [name, below] of Object.entries(tree)) {
    if (!Array.isArray(below)) addBelow(faults, below, [...path, name]);
    else for (const code of below) faults.add(code, ...path, name);
  }
}

/** Saves a report under a new id; returns the reply. */
export async function createSavedReport(
  context: Context,
  { name = '', description = null, request = {} }: SavedReportFields,
): Promise<Reply> {
  const { site, now } = context;
  const reports = await context.open(keys.savedReports(site.name));
  const ids = await context.open(keys.ids(site.name));
  const id = ids.version + 1;
  const report = { id, name, description, request: JSON.stringify(request), created_at: now, updated_at: now };
  const reply = created(context.origin, savedReportPath(id), showSavedReport(report));
  const changes = [
    { collection: reports, put: [itemOf(reports, report)], order: [...reports.order, id] },
    { collection: ids, version: id },
  ];
  await context.commit(changes, reply);
  return reply;
}

/** Changes the given fields; writes nothing if none of them differs. */
export async function updateSavedReport(
  context: Context,
  report: SavedReport,
  { request, ...fields }: SavedReportFields,
): Promise<SavedReport> {
  const changed = request === undefined ? {} : { request: JSON.stringify(request) };
  const after: SavedReport = { ...report, ...fields, ...changed };
  if (isDeepStrictEqual(after, report)) return report;
  const updated = { ...after, updated_at: context.now };
  const reports = await context.open(keys.savedReports(context.site.name));
  await context.commit([{ collection: reports, put: [itemOf(reports, updated)] }]);
  return updated;
}

export async function deleteSavedReport(context: Context, { id }: SavedReport): Promise<void> {
  const reports = await context.open(keys.savedReports(context.site.name));
  const order = reports.order.filter((other) => other !== id);
  await context.commit([{ collection: reports, remove: [members.savedReport(id)], order }]);
}

const itemOf = ({ pk }: Collection, report: SavedReport): Item => ({
  pk,
  sk: members.savedReport(report.id),
  ...report,
});
