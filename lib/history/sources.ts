import * as z from 'zod';
import { certain } from '../certain.ts';
import { ConditionFailed } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import { replan } from '../store/replan.ts';
import type { Item, Write } from '../store/table.ts';
import type { HistoryEvent, Instant } from './cases/event.ts';
import type { HistoryContext } from './commits/history-context.ts';

/** The kind of a source: its events add up, or each import replaces a case's events (docs/design/versions.md). */
export type SourceKind = 'log' | 'versioned';

const schema = z.object({
  name: z.string(),
  kind: z.enum(['log', 'versioned']),
  state: z.enum(['open', 'removing']), // removing: its events are refused until the removal is complete
  first: z.number(), // epoch ms of its first import
  last: z.number(), // epoch ms of its last import
  moment: z.number(), // µs: the largest moment of its imports, the last part of their `as_of`
  isTried: z.boolean().optional(), // imports were begun, and all were refused or broke off before their first case
});

/** The stored item of a source. */
export type SourceNote = Readonly<z.infer<typeof schema>>;

const noteIn = (item: Item | undefined): SourceNote | undefined =>
  item === undefined ? undefined : schema.parse(item);

export const kindOfEvent = ({ as_of }: HistoryEvent): SourceKind => (as_of === undefined ? 'log' : 'versioned');

/** Lists all sources of a site, by name; also those of which nothing is stored yet. */
export async function listSources({ table, site }: HistoryContext): Promise<SourceNote[]> {
  const items = await table.query(keys.history(site.name).pk, { prefix: keys.source(site.name, '').sk });
  return items.map((item) => schema.parse(item));
}

/** Reads the items of some sources; undefined for a source that the site does not have. */
export async function readSources(
  { table, site }: HistoryContext,
  names: readonly string[],
): Promise<(SourceNote | undefined)[]> {
  return (await table.batchGet(names.map((name) => keys.source(site.name, name)))).map(noteIn);
}

/** Returns why a source refuses events of a kind; undefined if it accepts them. */
export function sourceRefusal(
  note: Pick<SourceNote, 'kind' | 'state' | 'isTried'> | undefined,
  name: string,
  kind: SourceKind,
): string | undefined {
  if (note === undefined) return undefined;
  if (note.state === 'removing') return `source: ${JSON.stringify(name)} is being removed; run source remove again`;
  if (note.kind === kind || note.isTried) return undefined; // nothing is stored of a tried one, so it may become either kind
  return kind === 'log'
    ? `source: ${JSON.stringify(name)} has versions, so as_of is needed`
    : `source: ${JSON.stringify(name)} is a log, so its events have no as_of`;
}

/** How a source is opened. */
interface Opening {
  readonly isImport?: boolean; // it gets a new moment: now, or 1 ms after its largest so far
  readonly isTried?: boolean; // whether the import may store anything is not known yet: `confirmSource` says so
}

/**
 * Records that events of a kind are about to be stored for a source. Returns its moment, or the reason if the source
 * refuses them.
 */
export async function openSource(
  context: HistoryContext,
  name: string,
  kind: SourceKind,
  { isImport = false, isTried = false }: Opening = {},
): Promise<{ readonly reason: string } | { readonly moment: Instant }> {
  const { table, site, clock } = context;
  const key = keys.source(site.name, name);
  for (;;) {
    const before = noteIn(await table.get(key));
    const reason = sourceRefusal(before, name, kind);
    if (reason !== undefined) return { reason };
    const now = clock();
    const earlier = before?.moment ?? 0;
    const moment = isImport ? Math.max(now * 1000, earlier + 1000) : earlier;
    if (before !== undefined && !before.isTried && !isImport) return { moment };
    const stays = isTried && (before?.isTried ?? before === undefined);
    const note: SourceNote = {
      ...{ name, kind, state: 'open', first: before?.first ?? now, last: now, moment },
      ...(stays ? { isTried: true } : {}),
    };
    try {
      const when = { attribute: 'moment', equals: earlier } as const;
      await table.put({ ...key, ...note }, before === undefined ? { absent: true } : when);
      return { moment };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error; // another import came between
    }
  }
}

/**
 * Records that an import of a source stores events. Returns the reason if the source refuses them, because another
 * import has stored events of the other kind meanwhile.
 */
export function confirmSource(
  { table, site }: HistoryContext,
  name: string,
  kind: SourceKind,
): Promise<string | undefined> {
  const key = keys.source(site.name, name);
  return replan(async () => {
    const before = noteIn(await table.get(key));
    const reason = sourceRefusal(before, name, kind);
    if (reason !== undefined || !before?.isTried) return reason;
    const { isTried: _, ...note } = before;
    await table.put({ ...key, ...note, kind }, { attribute: 'moment', equals: note.moment });
    return undefined;
  });
}

/** A merge has events of a source that is being removed. */
export class SourceClosed extends Error {
  constructor(name: string) {
    super(`The source ${name} is being removed: run source remove to its end, then import again.`);
    this.name = 'SourceClosed';
  }
}

/** Throws `SourceClosed` if one of these sources is being removed or was removed. */
export async function requireOpenSources(context: HistoryContext, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  for (const [index, note] of (await readSources(context, names)).entries())
    if (note?.state !== 'open') throw new SourceClosed(certain(names[index]));
}

/** Returns a check that lets a transaction fail if a source is not open. */
export const sourceOpenCheck = (site: string, name: string): Write => ({
  check: keys.source(site, name),
  when: { attribute: 'state', equals: 'open' },
});

/**
 * Closes a source to new events. Its moment rises, so that an import that read the item before cannot open the source
 * again. Returns false if the site has no such source.
 */
export async function closeSource({ table, site }: HistoryContext, name: string): Promise<boolean> {
  const key = keys.source(site.name, name);
  for (;;) {
    const note = noteIn(await table.get(key));
    if (note === undefined) return false;
    try {
      await table.put(
        { ...key, ...note, state: 'removing', moment: note.moment + 1 },
        { attribute: 'moment', equals: note.moment },
      );
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
}

/** Deletes a source's item; the source may then be imported again as if it were new. */
export async function deleteSourceItem(context: HistoryContext, name: string): Promise<void> {
  await deleteDigests(context, name);
  await context.table.delete(keys.source(context.site.name, name));
}

/**
 * Deletes the stored digests of a source's cases, or of all sources (docs/design/versions.md, Rows that did not
 * change).
 */
export async function deleteDigests({ table, site }: HistoryContext, source?: string): Promise<void> {
  const { pk } = keys.history(site.name);
  const heads = await table.query(pk, { prefix: keys.known(site.name, source ?? '').sk, attributes: [] });
  const ofSource = heads.filter(({ sk }) => source === undefined || sk === keys.known(site.name, source).sk);
  for (const key of ofSource) await table.delete(key); // before the parts, which are read only if the head is there
  const prefix = source === undefined ? 'known-part#' : `known-part#${source}#`;
  const parts = await table.query(pk, { prefix, attributes: [] });
  await table.batchWrite(parts.map((key) => ({ delete: key })));
}

/** Returns the write that deletes a source's digests, for a transaction that stores another event of the source. */
export const digestDeletion = (site: string, source: string): Write => ({ delete: keys.known(site, source) });
