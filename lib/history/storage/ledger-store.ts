import { certain } from '../../certain.ts';
import { groupBy } from '../../group-by.ts';
import type { HistoryEvent } from '../cases/event.ts';
import { hashOf, type Subject } from '../cases/subject.ts';
import { uniteEvents } from '../cases/versions.ts';
import { type Blob, readBlobs } from './blobs.ts';
import { blobsOf, type Leaf, leafBlob, leafOf, type Run, type Shard } from './directory.ts';
import type { Draft } from './draft.ts';
import type { HistoryContext } from './history-context.ts';
import { decodeLeaf, encodeLeaf, type LedgerEntry, leafSubjects } from './ledger.ts';
import { HistoryMoved } from './unmoved.ts';

/** The blobs of a shard that have been read: the bytes of leaves and runs by their ids. */
export type LeafBytes = Map<number, Uint8Array>;

/** About how many events a leaf holds: some 35 KB. */
const LEAF_EVENTS = 4_096;
/** Runs are merged into the leaves once they hold this part of the leaves' events. */
const SETTLED_PART = 1 / 4;
/** So many groups of runs may lie beside the leaves. Then the newest are merged into one. */
const GROUPS = 8;

/** Some subjects of a shard with all their events, each id once: if two blobs hold an id, the older blob's event. */
export type EventsBySubject = ReadonlyMap<Subject, HistoryEvent[]>; // an empty list for a subject without events

/**
 * Reads all events of some subjects of a shard, leaf by leaf, so that the caller need hold only one leaf's events. Adds
 * the bytes that it reads to `bytes`. Returns undefined if a blob is gone because the shard was rewritten meanwhile.
 */
export async function readByLeaf(
  { table, site }: HistoryContext,
  shard: Shard,
  subjects: readonly Subject[],
  bytes: LeafBytes = new Map(),
): Promise<Iterable<EventsBySubject> | undefined> {
  const blobs = blobsOf(shard, subjects.map(hashOf));
  if (!(await fetch(table, site.name, blobs, bytes))) return undefined;
  return leafByLeaf(shard, subjects, bytes);
}

/** Reads all events of a shard, leaf by leaf; undefined if a blob is gone. */
export async function readAllByLeaf(
  { table, site }: HistoryContext,
  shard: Shard,
): Promise<Iterable<EventsBySubject> | undefined> {
  const bytes: LeafBytes = new Map();
  if (!(await fetch(table, site.name, [...shard.leaves, ...shard.runs], bytes))) return undefined;
  const subjects = new Set<Subject>();
  for (const blob of bytes.values()) for (const subject of leafSubjects(blob)) subjects.add(subject);
  return leafByLeaf(shard, [...subjects], bytes);
}

/**
 * Reads all subjects of a shard with their events; undefined if a blob is gone. Adds the bytes that it reads to
 * `bytes`.
 */
export async function readShard(
  { table, site }: HistoryContext,
  shard: Shard,
  bytes: LeafBytes,
): Promise<Map<Subject, HistoryEvent[]> | undefined> {
  const blobs = [...shard.leaves, ...shard.runs];
  if (!(await fetch(table, site.name, blobs, bytes))) return undefined;
  const known = new Map<Subject, HistoryEvent[]>();
  for (const { id } of blobs) gather(known, decodeLeaf(certain(bytes.get(id))));
  return known;
}

/** So many leaves are walked at a time, or so many runs' worth of hashes, so that few events are held. */
const WALKED = 8;

/**
 * Yields the events that lie in a shard's leaves, or in its runs, by subject, in the order of the hashes. Throws
 * `HistoryMoved` if a blob is gone because the shard was rewritten meanwhile.
 */
export async function* walkBlobs(
  { table, site }: HistoryContext,
  shard: Shard,
  kind: 'leaves' | 'runs',
): AsyncGenerator<readonly LedgerEntry[]> {
  const { leaves, runs } = shard;
  const step =
    kind === 'leaves' ? WALKED : Math.max(1, Math.floor((WALKED * leaves.length) / Math.max(1, runs.length)));
  for (let first = 0; first < Math.max(1, leaves.length); first += step) {
    const low = first === 0 ? 0 : certain(leaves[first]).from;
    const high = leaves[first + step]?.from ?? Number.POSITIVE_INFINITY;
    const blobs =
      kind === 'leaves' ? leaves.slice(first, first + step) : runs.filter(({ from, to }) => from < high && to >= low);
    const bytes: LeafBytes = new Map();
    if (!(await fetch(table, site.name, blobs, bytes))) throw new HistoryMoved();
    const known = new Map<Subject, HistoryEvent[]>();
    const isHere = (subject: Subject): boolean => {
      const hash = hashOf(subject);
      return hash >= low && hash < high;
    };
    for (const { id } of blobs) gather(known, decodeLeaf(certain(bytes.get(id)), { has: isHere }));
    yield byHash(known);
  }
}

function* leafByLeaf(shard: Shard, subjects: readonly Subject[], bytes: LeafBytes): Generator<EventsBySubject> {
  const wanted = new Set(subjects);
  const newer = new Map<Subject, HistoryEvent[]>();
  for (const { id } of shard.runs) {
    const blob = bytes.get(id);
    if (blob) gather(newer, decodeLeaf(blob, wanted));
  }
  for (const [leaf, some] of groupBy(subjects, (subject) => leafOf(shard, hashOf(subject)))) {
    const known = new Map<Subject, HistoryEvent[]>(some.map((subject) => [subject, []]));
    if (leaf) gather(known, decodeLeaf(certain(bytes.get(leaf.id)), known));
    gather(
      known,
      some.map((subject) => ({ subject, events: newer.get(subject) ?? [] })),
    );
    yield known;
  }
}

/** Reads all events of some subjects of a shard; undefined if a blob is gone. */
export async function readEvents(
  context: HistoryContext,
  shard: Shard,
  subjects: readonly Subject[],
): Promise<Map<Subject, HistoryEvent[]> | undefined> {
  const leaves = await readByLeaf(context, shard, subjects);
  return leaves && new Map([...leaves].flatMap((leaf) => [...leaf]));
}

/** Reads the leaves that are not in `bytes` yet; false if one is gone. */
async function fetch(
  table: HistoryContext['table'],
  site: string,
  leaves: readonly Leaf[],
  bytes: LeafBytes,
): Promise<boolean> {
  const missing = leaves.filter(({ id }) => !bytes.has(id));
  const found = await readBlobs(table, site, missing.map(leafBlob));
  for (const [index, { id }] of missing.entries()) {
    const got = found[index];
    if (got === undefined) return false;
    bytes.set(id, got);
  }
  return true;
}

/** Adds entries to the known events; of events with the same source and id the first stays. */
function gather(known: Map<Subject, HistoryEvent[]>, entries: readonly LedgerEntry[]): void {
  for (const { subject, events } of entries) {
    const list = known.get(subject);
    known.set(subject, list === undefined || list.length === 0 ? [...events] : uniteEvents(list, events));
  }
}

/** A subject's new events in a merge. */
export interface AddedEntry extends LedgerEntry {
  readonly isWhole?: boolean; // these are all its events: the stored ones are dropped
}

/** A shard after a merge, and the blobs that it no longer names. */
export interface StoredEvents {
  readonly shard: Shard;
  readonly discard: readonly Blob[];
}

/**
 * Writes new events of a shard to a draft. If an entry is whole, its leaf and the runs are rewritten at once, so that
 * the blobs of a shard never contradict one another. Undefined if a blob that must be rewritten is gone.
 */
export async function storeEvents(
  context: HistoryContext,
  draft: Draft,
  shard: Shard,
  { added, bytes }: { readonly added: readonly AddedEntry[]; readonly bytes: LeafBytes },
): Promise<StoredEvents | undefined> {
  const whole = new Set(added.filter(({ isWhole }) => isWhole).map(({ subject }) => subject));
  const settled = count(shard.leaves);
  const fresh = added.reduce((sum, { events }) => sum + events.length, 0);
  const settle = whole.size > 0 || count(shard.runs) + fresh >= Math.max(LEAF_EVENTS, settled * SETTLED_PART);
  const folded = settle ? shard.runs : foldedWith(fresh, shard.runs);
  if (!(await fetch(context.table, context.site.name, folded, bytes))) return undefined;
  const known = new Map<Subject, HistoryEvent[]>();
  for (const { id } of folded) gather(known, without(decodeLeaf(certain(bytes.get(id))), whole));
  gather(known, added);
  const entries = byHash(known);
  if (settle) return settleEvents(context, draft, shard, { entries, whole, bytes });
  const runs = shard.runs.slice(0, shard.runs.length - folded.length);
  for (const cut of cutLeaves(entries)) {
    const { leaf, to } = await writeLeaf(draft, cut);
    runs.push({ ...leaf, to });
  }
  return { shard: { ...shard, runs }, discard: folded.map(leafBlob) };
}

/**
 * The newest runs that are merged with so many new events: each group that is at most twice as large as what comes after
 * it. So an event is merged a few times, and a large group is not written again for a small one.
 */
function foldedWith(events: number, runs: readonly Run[]): readonly Run[] {
  const groups = groupsOf(runs);
  if (groups.length < GROUPS) return [];
  let from = groups.length;
  for (let merged = events; from > 0; from -= 1) {
    const size = count(certain(groups[from - 1]));
    if (size > 2 * merged) break;
    merged += size;
  }
  return groups.slice(from).flat();
}

/** Runs in groups whose hashes rise, as those that were written together: each has a subject in one run at most. */
function groupsOf(runs: readonly Run[]): Run[][] {
  const groups: Run[][] = [];
  for (const run of runs) {
    const group = groups.at(-1);
    if (group === undefined || run.from <= certain(group.at(-1)).to) groups.push([run]);
    else group.push(run);
  }
  return groups;
}

const without = (entries: readonly LedgerEntry[], whole: ReadonlySet<Subject>): readonly LedgerEntry[] =>
  whole.size === 0 ? entries : entries.filter(({ subject }) => !whole.has(subject));

const count = (leaves: readonly Leaf[]): number => leaves.reduce((sum, { events }) => sum + events, 0);

/** The events to merge into the leaves of a shard. */
interface LeafMerge {
  readonly entries: readonly HashedEntry[];
  readonly whole: ReadonlySet<Subject>; // subjects whose entries hold all their events
  readonly bytes: LeafBytes;
}

/** Merges entries into the leaves of their hashes; leaves that become too large are cut. */
async function settleEvents(
  { table, site }: HistoryContext,
  draft: Draft,
  shard: Shard,
  { entries, whole, bytes }: LeafMerge,
): Promise<StoredEvents | undefined> {
  const parts = groupBy(entries, ({ hash }) => leafOf(shard, hash));
  const touched = [...parts.keys()].filter((leaf) => leaf !== undefined);
  if (!(await fetch(table, site.name, touched, bytes))) return undefined;
  const leaves: Leaf[] = shard.leaves.filter((leaf) => !parts.has(leaf));
  for (const [leaf, part] of parts) {
    let all: readonly HashedEntry[] = part;
    if (leaf) {
      const known = new Map<Subject, HistoryEvent[]>();
      gather(known, without(decodeLeaf(certain(bytes.get(leaf.id))), whole));
      gather(known, part);
      all = byHash(known);
    }
    for (const cut of cutLeaves(all.filter(({ events }) => events.length > 0)))
      leaves.push((await writeLeaf(draft, cut)).leaf);
  }
  leaves.sort((a, b) => a.from - b.from);
  return { shard: { ...shard, leaves, runs: [] }, discard: [...touched, ...shard.runs].map(leafBlob) };
}

interface HashedEntry extends LedgerEntry {
  readonly hash: number;
}

/** Sorts entries into the order of a leaf: by hash, then by subject. */
function byHash(known: ReadonlyMap<Subject, HistoryEvent[]>): HashedEntry[] {
  const entries = [...known].map(([subject, events]) => ({ subject, events, hash: hashOf(subject) }));
  return entries.sort((a, b) => a.hash - b.hash || (a.subject < b.subject ? -1 : 1));
}

/** Cuts entries into about equal parts of at most about LEAF_EVENTS events, never between equal hashes. */
function cutLeaves(entries: readonly HashedEntry[]): HashedEntry[][] {
  const events = entries.reduce((sum, entry) => sum + entry.events.length, 0);
  const size = events / Math.max(1, Math.ceil(events / LEAF_EVENTS));
  const cuts: HashedEntry[][] = [];
  let left = 0; // events that the current cut may still take
  let hash: number | undefined;
  for (const entry of entries) {
    if (left <= 0 && entry.hash !== hash) {
      cuts.push([]);
      left += size;
    }
    cuts.at(-1)?.push(entry);
    left -= entry.events.length;
    hash = entry.hash;
  }
  return cuts;
}

async function writeLeaf(draft: Draft, entries: readonly HashedEntry[]): Promise<{ leaf: Leaf; to: number }> {
  const { id, parts } = await draft.add('leaf', encodeLeaf(entries));
  const events = entries.reduce((sum, entry) => sum + entry.events.length, 0);
  return { leaf: { id, parts, from: certain(entries[0]).hash, events }, to: certain(entries.at(-1)).hash };
}
