import { certain } from '../../certain.ts';
import type { HistoryEvent } from '../cases/event.ts';
import { hashOf, type Subject } from '../cases/subject.ts';
import { uniteEvents } from '../cases/versions.ts';
import { type Blob, readBlobs } from '../commits/blobs.ts';
import { blobsOf, type Leaf, leafBlob, leafOf, type Run, type Shard } from '../commits/directory.ts';
import type { Draft } from '../commits/draft.ts';
import type { HistoryContext } from '../commits/history-context.ts';
import { decodeLeaf, encodeLeaf, type LedgerEntry, leafSubjects } from './ledger.ts';

/** What of a shard has been read: bytes of its leaves and runs by their ids. */
export type LeafBytes = Map<number, Uint8Array>;

/** About how many events a leaf holds: some 35 KB. */
const LEAF_EVENTS = 4_096;
/** Runs are folded into leaves once they hold this part of the shard's events, or into one run when there are many. */
const SETTLED_PART = 1 / 4;
const RUNS = 8;

/** Some subjects of a shard with all their events, each id once: where two blobs hold one, the older blob's. */
export type KnownEvents = ReadonlyMap<Subject, HistoryEvent[]>; // empty lists for those that have none

/**
 * All events of some subjects of a shard, leaf by leaf, so that no more than a leaf's need to be held. Bytes that were read
 * are added to `bytes`. Undefined when a blob is gone: the shard was written again meanwhile.
 */
export async function readByLeaf(
  { table, site }: HistoryContext,
  shard: Shard,
  subjects: readonly Subject[],
  bytes: LeafBytes = new Map(),
): Promise<Iterable<KnownEvents> | undefined> {
  const blobs = blobsOf(shard, subjects.map(hashOf));
  if (!(await fetch(table, site.name, blobs, bytes))) return undefined;
  return leafByLeaf(shard, subjects, bytes);
}

/** All events of a shard, leaf by leaf. */
export async function readAllByLeaf(
  { table, site }: HistoryContext,
  shard: Shard,
): Promise<Iterable<KnownEvents> | undefined> {
  const bytes: LeafBytes = new Map();
  if (!(await fetch(table, site.name, [...shard.leaves, ...shard.runs], bytes))) return undefined;
  const subjects = new Set<Subject>();
  for (const blob of bytes.values()) for (const subject of leafSubjects(blob)) subjects.add(subject);
  return leafByLeaf(shard, [...subjects], bytes);
}

/** All subjects of a shard with their events; undefined when a blob is gone. What was read is added to `bytes`. */
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

function* leafByLeaf(shard: Shard, subjects: readonly Subject[], bytes: LeafBytes): Generator<KnownEvents> {
  const wanted = new Set(subjects);
  const newer = new Map<Subject, HistoryEvent[]>();
  for (const { id } of shard.runs) {
    const blob = bytes.get(id);
    if (blob) gather(newer, decodeLeaf(blob, wanted));
  }
  for (const [leaf, some] of groupByLeaf(shard, subjects, hashOf)) {
    const known = new Map<Subject, HistoryEvent[]>(some.map((subject) => [subject, []]));
    if (leaf) gather(known, decodeLeaf(certain(bytes.get(leaf.id)), known));
    gather(
      known,
      some.map((subject) => ({ subject, events: newer.get(subject) ?? [] })),
    );
    yield known;
  }
}

function groupByLeaf<T>(shard: Shard, all: readonly T[], hash: (each: T) => number): Map<Leaf | undefined, T[]> {
  const groups = new Map<Leaf | undefined, T[]>();
  for (const each of all) {
    const leaf = leafOf(shard, hash(each));
    const group = groups.get(leaf);
    if (group) group.push(each);
    else groups.set(leaf, [each]);
  }
  return groups;
}

/** All events of some subjects of a shard; undefined when a blob is gone. */
export async function readEvents(
  context: HistoryContext,
  shard: Shard,
  subjects: readonly Subject[],
): Promise<Map<Subject, HistoryEvent[]> | undefined> {
  const leaves = await readByLeaf(context, shard, subjects);
  return leaves && new Map([...leaves].flatMap((known) => [...known]));
}

/** Reads the leaves that are not in `bytes` yet; false when one is gone. */
async function fetch(
  table: HistoryContext['table'],
  site: string,
  leaves: readonly Leaf[],
  bytes: LeafBytes,
): Promise<boolean> {
  const missing = leaves.filter(({ id }) => !bytes.has(id));
  const found = await readBlobs(table, site, missing.map(leafBlob));
  for (const [place, { id }] of missing.entries()) {
    const got = found[place];
    if (got === undefined) return false;
    bytes.set(id, got);
  }
  return true;
}

/** Adds entries to what is known; of events with one source and id the first stays. */
function gather(known: Map<Subject, HistoryEvent[]>, entries: readonly LedgerEntry[]): void {
  for (const { subject, events } of entries) {
    const list = known.get(subject);
    known.set(subject, list === undefined || list.length === 0 ? [...events] : uniteEvents(list, events));
  }
}

/** What a merge brings to a subject. */
export interface AddedEntry extends LedgerEntry {
  readonly isWhole?: boolean; // all events that the subject has now: others in the shard are gone
}

/** A shard with more events, and the leaves that it no longer names. */
export interface StoredEvents {
  readonly shard: Shard;
  readonly discard: readonly Blob[];
}

/**
 * Writes new events of a shard to a draft. Where events are gone, their leaves and the runs are written anew at once, so
 * that blobs of a shard never contradict one another. Undefined when a blob that they must be merged with is gone.
 */
export async function storeEvents(
  context: HistoryContext,
  draft: Draft,
  shard: Shard,
  { added, bytes }: { readonly added: readonly AddedEntry[]; readonly bytes: LeafBytes },
): Promise<StoredEvents | undefined> {
  const whole = new Set(added.filter(({ isWhole }) => isWhole).map(({ subject }) => subject));
  const settled = count(shard.leaves);
  const fresh = count(shard.runs) + added.reduce((sum, { events }) => sum + events.length, 0);
  const settle = whole.size > 0 || fresh >= Math.max(LEAF_EVENTS, settled * SETTLED_PART);
  const fold = settle || shard.runs.length >= RUNS;
  if (fold && !(await fetch(context.table, context.site.name, shard.runs, bytes))) return undefined;
  const folded = fold ? shard.runs : [];
  const known = new Map<Subject, HistoryEvent[]>();
  for (const { id } of folded) gather(known, without(decodeLeaf(certain(bytes.get(id))), whole));
  gather(known, added);
  const entries = byHash(known);
  if (settle) return settleEvents(context, draft, shard, { entries, whole, bytes });
  const runs: Run[] = fold ? [] : [...shard.runs];
  for (const cut of cutLeaves(entries)) {
    const { leaf, to } = await writeLeaf(draft, cut);
    runs.push({ ...leaf, to });
  }
  return { shard: { ...shard, runs }, discard: folded.map(leafBlob) };
}

const without = (entries: readonly LedgerEntry[], whole: ReadonlySet<Subject>): readonly LedgerEntry[] =>
  whole.size === 0 ? entries : entries.filter(({ subject }) => !whole.has(subject));

const count = (leaves: readonly Leaf[]): number => leaves.reduce((sum, { events }) => sum + events, 0);

/** What is to lie in the leaves of a shard. */
interface Settling {
  readonly entries: readonly HashedEntry[];
  readonly whole: ReadonlySet<Subject>; // those whose entries are all they have
  readonly bytes: LeafBytes;
}

/** Merges entries into the leaves they belong to; leaves that outgrow their size are cut. */
async function settleEvents(
  { table, site }: HistoryContext,
  draft: Draft,
  shard: Shard,
  { entries, whole, bytes }: Settling,
): Promise<StoredEvents | undefined> {
  const parts = groupByLeaf(shard, entries, ({ hash }) => hash);
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

/** Entries in the order of a leaf. */
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
