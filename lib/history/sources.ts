import * as z from 'zod';
import { certain } from '../certain.ts';
import { ConditionFailed } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import type { Item, Write } from '../store/table.ts';
import type { HistoryEvent, Instant } from './cases/event.ts';
import type { HistoryContext } from './commits/history-context.ts';

/** How the events of a source come: one by one, or in whole versions of a case (docs/design/versions.md). */
export type SourceKind = 'log' | 'versioned';

const schema = z.object({
  name: z.string(),
  kind: z.enum(['log', 'versioned']),
  state: z.enum(['open', 'removing']), // removing: nothing more is taken until the removal has come to its end
  first: z.number(), // epoch ms of its first import
  last: z.number(), // of its last one
  moment: z.number(), // µs: the largest moment of an import that an `as_of` of it was given
});

/** What a site notes of a source. */
export type SourceNote = Readonly<z.infer<typeof schema>>;

const noteIn = (item: Item | undefined): SourceNote | undefined =>
  item === undefined ? undefined : schema.parse(item);

export const kindOfEvent = ({ as_of }: HistoryEvent): SourceKind => (as_of === undefined ? 'log' : 'versioned');

/** All sources that a site was fed with, by name. */
export async function listSources({ table, site }: HistoryContext): Promise<SourceNote[]> {
  const items = await table.query(keys.history(site.name).pk, { prefix: keys.source(site.name, '').sk });
  return items.map((item) => schema.parse(item));
}

/** The notes of some sources; undefined for sources that the site does not have. */
export async function readSources(
  { table, site }: HistoryContext,
  names: readonly string[],
): Promise<(SourceNote | undefined)[]> {
  return (await table.batchGet(names.map((name) => keys.source(site.name, name)))).map(noteIn);
}

/** Why events of a kind are not taken for a source; undefined: they are. */
export function refusal(
  note: Pick<SourceNote, 'kind' | 'state'> | undefined,
  name: string,
  kind: SourceKind,
): string | undefined {
  if (note === undefined) return undefined;
  if (note.state === 'removing') return `source: ${JSON.stringify(name)} is being removed; run source remove again`;
  if (note.kind === kind) return undefined;
  return kind === 'log'
    ? `source: ${JSON.stringify(name)} has versions, so as_of is needed`
    : `source: ${JSON.stringify(name)} is a log, so its events have no as_of`;
}

/**
 * Notes that a source brings events of a kind now. Returns the reason where it may not. With `isImport` the note's moment rises,
 * to now or 1 ms after the largest so far, and is returned.
 */
export async function openSource(
  context: HistoryContext,
  name: string,
  kind: SourceKind,
  { isImport = false }: { readonly isImport?: boolean } = {},
): Promise<{ readonly reason: string } | { readonly moment: Instant }> {
  const { table, site, clock } = context;
  const key = keys.source(site.name, name);
  for (;;) {
    const before = noteIn(await table.get(key));
    const reason = refusal(before, name, kind);
    if (reason !== undefined) return { reason };
    const now = clock();
    const earlier = before?.moment ?? 0;
    const moment = isImport ? Math.max(now * 1000, earlier + 1000) : earlier;
    if (before !== undefined && !isImport) return { moment };
    const note: SourceNote = { name, kind, state: 'open', first: before?.first ?? now, last: now, moment };
    try {
      const when = { attribute: 'moment', equals: earlier } as const;
      await table.put({ ...key, ...note }, before === undefined ? { absent: true } : when);
      return { moment };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error; // another import came between
    }
  }
}

/** A merge was to store events of a source that is being removed. */
export class SourceClosed extends Error {
  constructor(name: string) {
    super(`The source ${name} is being removed: run source remove to its end, then import again.`);
    this.name = 'SourceClosed';
  }
}

/** Throws `SourceClosed` if one of these sources takes no events. */
export async function requireOpen(context: HistoryContext, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  for (const [place, note] of (await readSources(context, names)).entries())
    if (note?.state !== 'open') throw new SourceClosed(certain(names[place]));
}

/** The part of a transaction that holds only while a source takes events. */
export const whileOpen = (site: string, name: string): Write => ({
  check: keys.source(site, name),
  when: { attribute: 'state', equals: 'open' },
});

/** Takes no more events of a source: its moment moves on, so that nobody who read it before opens it again. Returns false where the site does not know it. */
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

/** Forgets a source: it may be imported again as if it had never been. */
export async function forgetSource(context: HistoryContext, name: string): Promise<void> {
  await forgetKnown(context, name);
  await context.table.delete(keys.source(context.site.name, name));
}

/** Forgets which cases of a source, or of all of them, came in its last import. */
export async function forgetKnown({ table, site }: HistoryContext, source?: string): Promise<void> {
  const { pk } = keys.history(site.name);
  const heads = await table.query(pk, { prefix: keys.known(site.name, source ?? '').sk, attributes: [] });
  const mine = heads.filter(({ sk }) => source === undefined || sk === keys.known(site.name, source).sk);
  for (const key of mine) await table.delete(key); // before the parts: none is read without it
  const prefix = source === undefined ? 'known-part#' : `known-part#${source}#`;
  const parts = await table.query(pk, { prefix, attributes: [] });
  await table.batchWrite(parts.map((key) => ({ delete: key })));
}

/** The part of a transaction that forgets so, where another event of the source comes. */
export const withoutKnown = (site: string, source: string): Write => ({ delete: keys.known(site, source) });
