import * as z from 'zod';
import { type AuditEntry, auditShape } from '../access/audit.ts';
import { auditedTable } from '../access/audited-table.ts';
import { R_SETTINGS } from '../access/roles.ts';
import { readSite } from '../access/sites.ts';
import { Failure, notFound } from '../errors.ts';
import { findSource, type SourceNote } from '../history/sources.ts';
import { writersAtWork } from '../history/storage/draft.ts';
import type { HistoryContext } from '../history/storage/history-context.ts';
import { removeSource } from '../history/take-back.ts';
import { noContent } from '../http/reply.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { MAX_SOURCE } from '../import/records/record-fields.ts';

/** The removal of a source that somebody asked for. */
export const removalShape = z.object({
  site: z.string(),
  source: z.string(),
  until: z.number(), // the moment of the source as it was seen: what is imported later stays
  entry: auditShape.optional(), // absent: the removal had begun, and has its entry
});
export type SourceRemoval = Readonly<z.infer<typeof removalShape>>;

/** Starts a removal without waiting for its end, which may take minutes. */
export type StartRemoval = (removal: SourceRemoval) => Promise<void>;

/**
 * Does a removal, with its entry in the audit in the transaction of its first write. Safe to do again after a crash, and
 * if it was done; does nothing if the source was imported again since it was asked for.
 */
export async function doRemoval(
  tools: Pick<HistoryContext, 'table' | 'clock' | 'newId'>,
  { site: name, source, until, entry }: SourceRemoval,
): Promise<void> {
  const site = await readSite(tools.table, name);
  if (site === undefined) return;
  if (entry === undefined) return void (await removeSource({ ...tools, site }, source, until));
  const audited = auditedTable(tools.table, name, entry);
  const changed = await removeSource({ ...tools, site, table: audited.table }, source, until);
  if (changed !== undefined) await audited.counted(changed);
}

/** Finds the source that a path names. Throws `not_found`. */
async function sourceOf({ context, params: { name = '' } }: Pick<Call, 'context' | 'params'>): Promise<SourceNote> {
  const note = name.length > MAX_SOURCE ? undefined : await findSource(context, name);
  if (note === undefined) throw notFound(`source ${JSON.stringify(name)}`);
  return note;
}

const AT_WORK = 'An import is at work on this site, or died within the last 15 minutes: remove the source after it.';

/** The route that has a source removed by `start`; without it the route answers 404. */
export const createRemovalRoute = (start?: StartRemoval): Route =>
  route({
    name: 'deleteSource',
    summary:
      'Remove all that a source brought; the removal goes on after the reply, and lists say `removing` meanwhile',
    method: 'DELETE',
    path: '/api/v2/sources/{name}',
    roles: R_SETTINGS,
    extension: true,
    reads: () => [],
    find: sourceOf,
    handle: async ({ context, resource: { name, moment } }) => {
      if (start === undefined) throw new Failure('not_found');
      const { site, user, now, newId } = context;
      if (await writersAtWork(context)) throw new Failure('conflict', { message: AT_WORK });
      const entry: AuditEntry = {
        ...{ id: newId(), at: now, user: user.login, via: 'api', action: 'delete' },
        ...{ resource: `sources/${name}`, fields: [] },
      };
      await start({ site: site.name, source: name, until: moment, entry });
      return noContent;
    },
  });
