import { isDeepStrictEqual } from 'node:util';
import { keptTraces, marked } from '../access/records.ts';
import type { Answer, Context } from '../context.ts';
import { groupBy } from '../group-by.ts';
import { type Change, type Collection, IN_TRANSACTION } from '../store/collection.ts';
import { keys } from '../store/keys.ts';
import type { Item, Write } from '../store/table.ts';
import type { Storing } from './storing.ts';

/** A thing as it is and as it becomes: undefined before it is made, and after it is removed without a trace. */
export interface Edit {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** Edits in one collection, which are written together if they fit a transaction. */
export interface Edits {
  readonly collection: Collection;
  readonly storing: Omit<Storing, 'partition'>;
  readonly edits: readonly Edit[];
}

/** Edits that put and remove items of a collection; one that is put is not removed. */
export function editsTo(
  collection: Collection,
  storing: Edits['storing'],
  { put = [], remove = [] }: Pick<Change, 'put' | 'remove'>,
): Edits {
  const items = new Map<string, Item | undefined>(remove.map((sk) => [sk, undefined]));
  for (const item of put) items.set(item.sk, item);
  const edits = [...items].map(([sk, after]) => ({ before: collection.items.get(sk), after }));
  return { collection, storing, edits };
}

/** Who writes, where and when: the context of a request. */
export type Writer = Pick<Context, 'now' | 'open' | 'commit'> & {
  readonly site: { readonly name: string };
  readonly isTold?: boolean; // by records of an import, or by cases, which name what is written
};

/** What is written in the transaction of a change, besides. */
export interface Beside {
  readonly answer?: Answer | undefined; // of a request that creates something
  readonly writes?: readonly Write[];
}

/** Limits of one transaction: DynamoDB takes 100 writes and 4 MB, and a request adds its entry of the audit and its answer. */
const MOST = { writes: 96, bytes: 3_000_000 };
const HEADS = 2; // writes for each collection: its head and its order
const IDS = 1; // the head of the count of ids

/** An edit with what it takes of a transaction. */
interface Unit extends Edit {
  readonly plan: Edits;
  readonly children?: Change; // of the collection that comes or goes with the thing
  readonly bytes: number;
}

/**
 * Writes things: the one way in which requests, imports and commands write them. Edits that change nothing are left out;
 * the others are all or nothing as far as they fit a transaction, else as many at a time as fit. Throws `ConditionFailed`
 * if another write came first: plan anew then.
 */
export async function change(
  writer: Writer,
  plans: readonly Edits[],
  { answer, writes = [] }: Beside = {},
): Promise<void> {
  const isOne = plans.length === 1 && plans[0]?.edits.length === 1; // which needs no measuring
  const units: Unit[][] = [];
  for (const plan of plans) {
    const own: Unit[] = [];
    for (const edit of plan.edits) {
      if (isDeepStrictEqual(edit.before, edit.after)) continue;
      const bytes = isOne || edit.after === undefined ? 0 : Buffer.byteLength(JSON.stringify(edit.after));
      own.push({ plan, bytes, ...edit, ...(await withChildren(writer, plan, edit)) });
    }
    units.push(own);
  }
  for (const part of inParts(units)) await writer.commit(await changesOf(writer, part), answer, writes);
}

/** What a thing's own collection of other things becomes, if it comes or goes with it. */
async function withChildren(
  { open, site }: Writer,
  { storing: { list } }: Edits,
  { before, after }: Edit,
): Promise<Partial<Unit>> {
  if (list?.children === undefined || after === undefined) return {};
  const { children, isIn } = list;
  const isThere = isIn(after);
  if (isThere === (before !== undefined && isIn(before))) return {};
  const collection = await open(children.partition(site.name, Number(after.id)));
  // Their versions go on where those of the deleted thing ended, so that no reader takes one for the other.
  if (isThere) return { children: { collection, version: Number(before?.[children.name] ?? 0) + 1 } };
  return before === undefined || !isIn(before)
    ? {}
    : {
        after: { ...after, [children.name]: collection.version },
        children: { collection, remove: [...collection.items.keys()], close: true },
      };
}

/** Cuts edits into parts that fit a transaction; those of a plan stay together if they fit one. */
function* inParts(plans: readonly (readonly Unit[])[]): Generator<readonly Unit[]> {
  let part: readonly Unit[] = [];
  for (const units of plans)
    for (const some of fits(units) ? [units] : units.map((unit) => [unit])) {
      if (part.length > 0 && !fits([...part, ...some])) {
        yield part;
        part = [];
      }
      part = [...part, ...some];
    }
  if (part.length > 0) yield part;
}

function fits(units: readonly Unit[]): boolean {
  const bytes = units.reduce((sum, unit) => sum + unit.bytes, 0);
  return writesIn(units) <= MOST.writes && bytes <= MOST.bytes;
}

/** How many writes edits take of a transaction, at most. */
function writesIn(units: readonly Unit[]): number {
  const collections = new Set(units.map(({ plan }) => plan.collection));
  return units.reduce((sum, { children }) => sum + 1 + writesOf(children), IDS + HEADS * collections.size);
}

const writesOf = (children: Change | undefined): number =>
  children === undefined ? 0 : children.close ? HEADS + Math.min(children.remove?.length ?? 0, IN_TRANSACTION) : 1;

async function changesOf(writer: Writer, part: readonly Unit[]): Promise<Change[]> {
  const { open, site } = writer;
  const changes: Change[] = [];
  let room = MOST.writes - writesIn(part); // for deleted things that go
  for (const units of groupBy(part, ({ plan }) => plan.collection).values()) {
    const { gone, ...own } = changeOf(writer, units, room);
    changes.push(own);
    room -= gone;
  }
  changes.push(...part.flatMap(({ children }) => children ?? []));
  const made = part.flatMap(({ plan, before, after }) =>
    before === undefined && plan.storing.list !== undefined && typeof after?.id === 'number' ? [after.id] : [],
  );
  if (made.length === 0) return changes;
  const ids = await open(keys.ids(site.name));
  const version = Math.max(...made);
  return version > ids.version ? [...changes, { collection: ids, version }] : changes;
}

/** The change of one collection, with at most `room` deleted things that go with it, and how many do. */
function changeOf(
  { isTold = false }: Pick<Writer, 'isTold'>,
  units: readonly Unit[],
  room: number,
): Change & { readonly gone: number } {
  const [first] = units;
  if (first === undefined) throw new Error('a change of nothing');
  const { collection, storing } = first.plan;
  const removed = units.flatMap(({ before, after }) => (before && after === undefined ? before.sk : []));
  const last = new Map(units.flatMap(({ after }) => (after ? [[after.sk, after] as const] : []))); // of each thing
  if (!storing.keepsDeleted)
    return { collection, put: [...last.values()], remove: removed, gone: 0, ...orderOf(first.plan, units) };
  const puts = [...last.values()].map((item) => marked(item, collection.items.get(item.sk), isTold));
  const { put, remove } = keptTraces(collection, puts, room);
  return { collection, put, remove: [...removed, ...remove], gone: remove.length, ...orderOf(first.plan, units) };
}

/** The order of the things of a collection, if some come, go or move. */
function orderOf({ collection, storing: { all, list } }: Edits, units: readonly Unit[]): Pick<Change, 'order'> {
  const listed = (item: Item | undefined): Item | undefined => (item && list?.isIn(item) ? item : undefined);
  const moves = units.flatMap(({ before, after }) => {
    const [was, is] = [listed(before), listed(after)];
    const stays = was === is || (was && is && list?.rank?.(was) === list?.rank?.(is)); // or is in no list
    return stays ? [] : [{ id: Number((is ?? was)?.id), is }];
  });
  if (moves.length === 0) return {};
  const items = new Map(all(collection).map((item) => [Number(item.id), item]));
  let order = [...items.keys()];
  for (const { id, is } of moves) {
    if (items.delete(id)) order = order.filter((other) => other !== id);
    if (is === undefined) continue;
    order.splice(list?.place?.(order, is, items) ?? order.length, 0, id);
    items.set(id, is);
  }
  return { order };
}
