import type { Collection, StoredItems } from '../store/collection.ts';
import { type ImportTarget, raiseIds, readHeads } from '../store/import-target.ts';
import { keys, members } from '../store/keys.ts';
import { type RecordDraft, type Waiting, waitingItems } from '../store/together.ts';
import { actionItem, type StoredAction } from './action.ts';
import type { ImportedAction } from './merge.ts';

/** The actions of a macro, as they become. */
interface DraftedActions extends StoredItems {
  readonly macro: number;
  readonly hasMacro: boolean; // false: the site has no such macro
  readonly count: () => number; // live actions
}

/** Actions of the macros that some records name, with changes that wait to be written together. */
export interface ActionDraft extends RecordDraft<ImportedAction> {
  /** The actions of a record's macro; undefined if it names none, and no macro has such an action. */
  readonly find: (record: ImportedAction) => DraftedActions | undefined;
  readonly put: (macro: number, action: StoredAction) => void;
}

const BESIDE = 4; // writes besides those that wait: the head of ids, and one more action with the head and order of its macro

/** Opens a draft of the actions of the macros that the next records name. */
export async function draftActions(target: ImportTarget, next: readonly ImportedAction[]): Promise<ActionDraft> {
  const { site, table, collections } = target;
  const macroOf = await findMacros(target, next);
  const partitionOf = (macro: number) => keys.actions(site, macro);
  const named = [...new Set(next.map(macroOf))].filter((macro) => macro !== undefined);
  const open = await readHeads(target, [keys.ids(site), ...named.map(partitionOf)]);
  const ids = await open(keys.ids(site));
  const drafted = new Map<number, DraftedActions & ReturnType<typeof draftOf>>();
  for (const macro of named) drafted.set(macro, { macro, ...draftOf(await open(partitionOf(macro))) });
  let last = 0;

  const changed = () => [...drafted.values()].filter(({ waits }) => waits.waiting().items > 0);

  return {
    find: (record) => {
      const macro = macroOf(record);
      if (macro !== undefined) return drafted.get(macro);
      return [...drafted.values()].find(({ items }) => items.get(members.action(record.id)) !== undefined);
    },
    put: (macro, action) => {
      drafted.get(macro)?.put(action);
      last = Math.max(last, action.id);
    },
    waiting: () => {
      const sum: Waiting = { items: BESIDE, bytes: 0 };
      return changed().reduce(({ items, bytes }, { waits }) => {
        const own = waits.waiting();
        return { items: items + own.items + 2, bytes: bytes + own.bytes };
      }, sum);
    },
    write: async () => {
      const changes = changed().map(({ change }) => change());
      if (changes.length > 0) await collections.commit(table, [...changes, ...raiseIds(ids, last)]);
    },
  };
}

/** The actions of one macro with their changes. */
function draftOf(collection: Collection) {
  const waits = waitingItems(collection);
  const order = new Set(collection.order);
  let isReordered = false;
  return {
    waits,
    items: waits,
    hasMacro: collection.version > 0,
    count: () => order.size,
    put: (action: StoredAction) => {
      const isLive = action.state === 'live';
      waits.put(actionItem(collection, action));
      if (order.has(action.id) === isLive) return;
      isReordered = true;
      if (isLive) order.add(action.id);
      else order.delete(action.id);
    },
    change: () => (isReordered ? { ...waits.change(), order: [...order].sort((a, b) => a - b) } : waits.change()),
  };
}

/** Finds the macros of records that name none, by a lookup in each macro. */
async function findMacros(
  target: ImportTarget,
  next: readonly ImportedAction[],
): Promise<(record: ImportedAction) => number | undefined> {
  const found = new Map<number, number>(); // by action
  const nameless = [...new Set(next.filter(({ macro }) => macro === undefined).map(({ id }) => id))];
  for (const id of nameless) {
    const macro = await macroOf(target, id);
    if (macro !== undefined) found.set(id, macro);
  }
  return ({ id, macro }) => macro ?? found.get(id);
}

async function macroOf({ site, table, collections }: ImportTarget, action: number): Promise<number | undefined> {
  const partition = keys.macros(site);
  const { order } = await collections.open(table, partition, await table.get(keys.head(partition)));
  const actionKeys = order.map((macro) => ({ ...keys.actions(site, macro), sk: members.action(action) }));
  const found = await table.batchGet(actionKeys);
  return order[found.findIndex((item) => item !== undefined)];
}
