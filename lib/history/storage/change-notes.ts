import { groupBy } from '../../group-by.ts';
import { ownJson } from '../../own-json.ts';
import { keys } from '../../store/keys.ts';
import type { Item, Write } from '../../store/table.ts';
import { compareAsOf } from '../cases/as-of.ts';
import type { AsOf, HistoryEvent } from '../cases/event.ts';
import { type RewriteEvents, type Subject, shardOf } from '../cases/subject.ts';
import { deflateJson, inflateText } from '../segments/deflated-json.ts';
import { type Blob, blobKeys, readBlobs } from './blobs.ts';
import type { Draft } from './draft.ts';
import type { HistoryContext } from './history-context.ts';

/** What an import changed in the events of a source of one subject, so that it can be taken back (docs/design/undo.md). */
interface ChangeNote {
  readonly subject: Subject;
  readonly gone: readonly HistoryEvent[]; // stored before, and not after
  readonly came: readonly string[]; // ids of the events that were not stored before
  readonly asOf: AsOf | null; // the version that the import stored; null: the source is a log
}

/** Collects what a merge changes, for an import that can be taken back. */
export interface ChangeNotes {
  /** Takes the events of a subject before and after; those that were accepted before belong to `before`. */
  see(subject: Subject, change: EventsChange): void;
  /** Adds the notes to a draft; returns the writes that belong to its commit. */
  write(draft: Draft): Promise<Write[]>;
}

interface EventsChange {
  readonly before: readonly HistoryEvent[];
  readonly after: readonly HistoryEvent[];
}

/** Starts notes on the sources that an import did not create itself. */
export function newChangeNotes(site: string, importId: string, sources: ReadonlySet<string>): ChangeNotes {
  const notes = new Map<string, ChangeNote[]>([...sources].map((source) => [source, []]));
  return {
    see(subject, { before, after }) {
      for (const [source, list] of notes) {
        const ofSource = (event: HistoryEvent): boolean => event.source === source;
        const [was, is] = [before.filter(ofSource), after.filter(ofSource)];
        const [old, present] = [new Set(was), new Set(is)];
        const came = is.filter((event) => !old.has(event)).map(({ id }) => id);
        const gone = was.filter((event) => !present.has(event));
        if (came.length > 0) list.push({ subject, gone, came, asOf: is[0]?.as_of ?? null });
      }
    },
    async write(draft) {
      const writes: Write[] = [];
      for (const [source, list] of notes) {
        if (list.length === 0) continue;
        const blob = await draft.add('changes', deflateJson(list));
        const shards = [...new Set(list.map(({ subject }) => shardOf(subject)))];
        const put: Item = {
          ...keys.changes(site, source, importId, blob.id),
          blob: blob.id,
          parts: blob.parts,
          shards: JSON.stringify(shards),
        };
        writes.push({ put });
      }
      return writes;
    },
  };
}

/** A stored blob of notes. */
interface StoredNotes {
  readonly item: Item;
  readonly blob: Blob;
  readonly shards: readonly number[];
}

/** Whose notes: those of an import about a source, or all about the source. */
interface NotesOf {
  readonly source: string;
  readonly importId?: string;
}

async function listNotes({ table, site }: HistoryContext, { source, importId }: NotesOf): Promise<StoredNotes[]> {
  const ofSource = `changes#${encodeURIComponent(source)}#`;
  const prefix = importId === undefined ? ofSource : `${ofSource}${importId}#`;
  const items = await table.query(keys.history(site.name).pk, { prefix });
  return items.map((item) => ({
    item,
    blob: { kind: 'changes', id: Number(item.blob), parts: Number(item.parts) },
    shards: ownJson<number[]>(String(item.shards)),
  }));
}

/** Deletes notes and their blobs. After a crash it may be run again. */
export async function deleteChangeNotes(context: HistoryContext, of: NotesOf): Promise<void> {
  const { table, site } = context;
  for (const { item, blob } of await listNotes(context, of)) {
    await table.batchWrite(blobKeys(site.name, blob).map((key) => ({ delete: key })));
    await table.delete({ pk: item.pk, sk: item.sk });
  }
}

/** Returns a function that reads, for a shard, what an import changed in some sources, and takes it back. */
export async function openUndo(
  context: HistoryContext,
  importId: string,
  sources: readonly string[],
): Promise<(shard: number) => Promise<RewriteEvents>> {
  const stored: { source: string; notes: StoredNotes }[] = [];
  for (const source of sources)
    for (const notes of await listNotes(context, { source, importId })) stored.push({ source, notes });
  return async (shard) => {
    const found: { source: string; note: ChangeNote }[] = [];
    for (const { source, notes } of stored) {
      if (!notes.shards.includes(shard)) continue;
      for (const note of await readNotes(context, notes.blob))
        if (shardOf(note.subject) === shard) found.push({ source, note });
    }
    const bySubject = groupBy(found, ({ note }) => note.subject);
    // The last commit's change is taken back first.
    return (subject, events) =>
      (bySubject.get(subject) ?? []).reduceRight((left, { source, note }) => withoutChange(left, source, note), events);
  };
}

async function readNotes({ table, site }: HistoryContext, blob: Blob): Promise<ChangeNote[]> {
  const [bytes] = await readBlobs(table, site.name, [blob]);
  if (bytes === undefined) throw new Error(`the blob ${blob.id} of changes is gone`);
  return ownJson<ChangeNote[]>(inflateText(bytes));
}

/** Takes a change back, unless a newer version has taken its place. Taken back twice, it is the same. */
function withoutChange(
  events: readonly HistoryEvent[],
  source: string,
  { gone, came, asOf }: ChangeNote,
): readonly HistoryEvent[] {
  const present = events.find((event) => event.source === source)?.as_of;
  if (asOf !== null && present !== undefined && compareAsOf(present, asOf) !== 0) return events;
  const ids = new Set(came);
  const kept = events.filter((event) => event.source !== source || !ids.has(event.id));
  return [...kept, ...gone];
}
