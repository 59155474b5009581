import * as z from 'zod';
import { type AuditEntry, auditActor, auditItem, auditShape } from '../access/audit.ts';
import { auditedTable } from '../access/audited-table.ts';
import { R_SETTINGS } from '../access/roles.ts';
import { readSite } from '../access/sites.ts';
import { notFound, plainRefusal } from '../errors.ts';
import { closeSource, findSource, type SourceNote } from '../history/sources.ts';
import { writersAtWork } from '../history/storage/draft.ts';
import type { HistoryContext } from '../history/storage/history-context.ts';
import { removeSource } from '../history/take-back.ts';
import { noContent } from '../http/reply.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { MAX_SOURCE } from '../import/records/record-fields.ts';

/** The removal of a source that has begun: no import brings anything to it any more. */
export const removalShape = z.object({
  site: z.string(),
  source: z.string(),
  entry: auditShape.optional(), // of the request; absent: it had begun, and has its entry
});
export type SourceRemoval = Readonly<z.infer<typeof removalShape>>;

/** Has the rest of a removal done, without waiting for its end, which may take minutes. */
export type StartRemoval = (removal: SourceRemoval) => Promise<void>;

/**
 * Ends a removal, and tells the audit how many cases changed, which it returns; undefined if it was done before. Safe to
 * do again after a crash.
 */
export async function doRemoval(
  { table, clock, newId }: Pick<HistoryContext, 'table' | 'clock' | 'newId'>,
  { site: name, source, entry }: SourceRemoval,
): Promise<number | undefined> {
  const site = await readSite(table, name);
  if (site === undefined) return undefined;
  const count = await removeSource({ table, clock, newId, site }, source, { hasBegun: true });
  if (entry !== undefined && count !== undefined) await table.put(auditItem(name, { ...entry, count }));
  return count;
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
    handle: async ({ context, resource: { name, state } }) => {
      if (start === undefined) throw notFound('removal of sources in this deployment');
      const { site, table, actor, now, newId } = context;
      if (await writersAtWork(context)) throw plainRefusal('conflict', AT_WORK);
      if (state === 'removing')
        await start({ site: site.name, source: name }); // it may wait for somebody to ask again
      else {
        const entry: AuditEntry = {
          id: newId(),
          at: now,
          ...auditActor(actor),
          action: 'delete',
          resource: `sources/${name}`,
          fields: [],
        };
        await closeSource({ table: auditedTable(table, site.name, entry).table, site }, name, 'removing');
        await start({ site: site.name, source: name, entry });
      }
      return noContent;
    },
  });
