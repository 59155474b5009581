import type { Telling } from '../vocabulary.ts';
import type { HistoryEvent } from './cases/event.ts';
import { formatInstant } from './cases/instant.ts';
import { uniteEvents } from './cases/versions.ts';
import { rewriteLedger, walkLedger } from './rewrite.ts';
import {
  closeSource,
  deleteSourceItem,
  isListed,
  listSources,
  openSource,
  readTells,
  type SourceKind,
} from './sources.ts';
import type { HistoryContext } from './storage/history-context.ts';

/** The events of one source of a site. */
export interface SourceContents {
  readonly source: string | null; // null: the log without a name
  readonly kind: SourceKind;
  readonly cases: number; // number of subjects: cases, and agents with sessions
  readonly events: number;
  readonly first: number | null; // µs, time of its first event
  readonly last: number | null; // µs, time of its last event
  readonly imported: number | null; // epoch ms of its last import; null: unknown
  readonly removing: boolean; // a removal has begun and is not complete
  readonly tells: readonly Telling[] | null; // what it can tell; null: unknown
}

/** A source with its moments as texts. */
export type ShownContents = Omit<SourceContents, 'first' | 'last' | 'imported'> &
  Readonly<Record<'first' | 'last' | 'imported', string | null>>;

/** The contents of a source with its moments as texts. */
export function showContents({ first, last, imported, ...rest }: SourceContents): ShownContents {
  const shown = (instant: number | null): string | null => (instant === null ? null : formatInstant(instant));
  return { ...rest, first: shown(first), last: shown(last), imported: shown(imported && imported * 1000) };
}

/**
 * Lists the contents of each source of a site, by name. Reads the whole ledger; by default it first merges what waits in
 * the tail.
 */
export async function listContents(
  context: HistoryContext,
  leaves: ReturnType<typeof walkLedger> = walkLedger(context),
): Promise<SourceContents[]> {
  const counts = new Map<string | null, { cases: number; events: number; first: number | null; last: number | null }>();
  for await (const known of leaves) {
    for (const events of known.values()) {
      const seen = new Set<string | null>();
      for (const { source = null, at, id } of events) {
        const count = counts.get(source) ?? { cases: 0, events: 0, first: null, last: null };
        counts.set(source, count);
        if (id === '') continue; // a mark
        if (!seen.has(source)) count.cases += 1;
        seen.add(source);
        count.events += 1;
        count.first = Math.min(count.first ?? at, at);
        count.last = Math.max(count.last ?? at, at);
      }
    }
  }
  const stored = (await listSources(context)).filter(isListed);
  const nameless = (await readTells(context))?.find(({ name }) => name === null)?.tells;
  const notes = new Map(stored.map((note) => [note.name, note]));
  const names = [...new Set([...counts.keys(), ...notes.keys()])].sort((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1));
  return names.map((source) => {
    const note = source === null ? undefined : notes.get(source);
    const count = counts.get(source) ?? { cases: 0, events: 0, first: null, last: null };
    const removing = note?.state === 'removing';
    const tells = (source === null ? nameless : note?.tells) ?? null;
    return { source, kind: note?.kind ?? 'log', ...count, imported: note?.last ?? null, removing, tells };
  });
}

/**
 * Removes all events and marks of a source (docs/design/versions.md). Returns how many cases changed; undefined if the
 * site has no such source, or, of a removal that `hasBegun`, if that was done. After a crash it may be run again.
 */
export async function removeSource(
  context: HistoryContext,
  name: string,
  options?: { readonly hasBegun: boolean },
): Promise<number | undefined> {
  if (!(await closeSource(context, name, 'removing', options))) return undefined;
  const changed = await rewriteLedger(context, (_, events) =>
    events.some(({ source }) => source === name) ? events.filter(({ source }) => source !== name) : events,
  );
  await deleteSourceItem(context, name);
  return changed;
}

/**
 * Assigns the events without a source to a log of this name. Returns how many cases changed, or the reason if the
 * source refuses them.
 */
export async function adoptSource(
  context: HistoryContext,
  name: string,
): Promise<number | { readonly reason: string }> {
  const opened = await openSource(context, name, 'log', { isImport: true });
  if ('reason' in opened) return opened;
  return rewriteLedger(context, (_, events) => {
    const nameless = events.filter(({ source }) => source === undefined);
    if (nameless.length === 0) return events;
    const named = nameless.map((event): HistoryEvent => ({ ...event, source: name }));
    return uniteEvents(
      events.filter(({ source }) => source !== undefined),
      named,
    );
  });
}
