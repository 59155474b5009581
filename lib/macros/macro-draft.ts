import { groupBy } from '../group-by.ts';
import { type Change, type Collection, IN_TRANSACTION } from '../store/collection.ts';
import { type ImportTarget, raiseIds, readHeads } from '../store/import-target.ts';
import { keys, type Partition } from '../store/keys.ts';
import { type RecordDraft, waitingItems } from '../store/together.ts';
import { byPosition, listMacros, type Macro, macroItem, type StoredMacro, storedMacro } from './macro.ts';
import type { ImportedMacro } from './merge.ts';

/** A site's macros with changes that wait to be written together. */
export interface MacroDraft extends RecordDraft<Pick<ImportedMacro, 'id'>> {
  readonly find: (id: number) => StoredMacro | undefined;
  readonly count: () => number; // live macros
  readonly lastPosition: () => number; // 0 without macros
  /** Writes a macro, at the place in the order that its position names. */
  readonly place: (macro: Macro) => void;
  /** Deletes a macro with its actions, or notes that one that never was is deleted. */
  readonly remove: (macro: Exclude<StoredMacro, Macro>) => void;
}

const BESIDE = 4; // writes besides those that wait: heads of macros and ids, the order, and one more macro

/** Opens a draft of a site's macros, with what the next records need of the actions of theirs. */
export async function draftMacros(target: ImportTarget, next: readonly ImportedMacro[]): Promise<MacroDraft> {
  const { site, table, collections } = target;
  const named = next.map(({ id }) => keys.actions(site, id));
  const open = await readHeads(target, [keys.macros(site), keys.ids(site), ...named]);
  const collection = await open(keys.macros(site));
  const ids = await open(keys.ids(site));
  const waits = waitingItems(collection);
  const find = (id: number): StoredMacro | undefined => storedMacro({ items: waits }, id);
  const findLive = (id: number): Macro | undefined => {
    const macro = find(id);
    return macro?.state === 'live' ? macro : undefined;
  };
  const actions = draftActionLists(await openActions(target, next, { open, find }));
  const order = listMacros(collection, 'position').map(({ id }) => id);
  let isReordered = false;
  let last = 0; // the largest id written

  function write(macro: StoredMacro): void {
    waits.put(macroItem(collection, macro));
    last = Math.max(last, macro.id);
  }

  function leaveOrder(id: number): void {
    order.splice(order.indexOf(id), 1);
    isReordered = true;
  }

  function enterOrder(macro: Macro): void {
    const place = order.findLastIndex((other) => byPosition(findLive(other) ?? macro, macro) < 0);
    order.splice(place + 1, 0, macro.id);
    isReordered = true;
  }

  return {
    find,
    count: () => order.length,
    lastPosition: () => findLive(order.at(-1) ?? 0)?.position ?? 0,
    place: (macro) => {
      const before = find(macro.id);
      write(macro);
      if (before?.state !== 'live') actions.begin(macro.id, before?.state === 'deleted' ? before.actions : 0);
      else if (before.position === macro.position) return;
      else leaveOrder(macro.id);
      enterOrder(macro);
    },
    remove: (macro) => {
      if (macro.state !== 'deleted' || findLive(macro.id) === undefined) return write(macro);
      leaveOrder(macro.id);
      write({ ...macro, actions: actions.close(macro.id) });
    },
    waiting: ({ id }) => {
      const { items, bytes } = waits.waiting();
      return { items: items + actions.waiting(id) + BESIDE, bytes };
    },
    write: async () => {
      if (waits.waiting().items === 0) return;
      const change = isReordered ? { ...waits.change(), order } : waits.change();
      await collections.commit(table, [change, ...actions.changes(), ...raiseIds(ids, last)]);
    },
  };
}

/** Opens the actions of the macros that the next records may bring or delete, by macro. */
async function openActions(
  target: ImportTarget,
  next: readonly ImportedMacro[],
  { open, find }: Pick<MacroDraft, 'find'> & { readonly open: (partition: Partition) => Promise<Collection> },
): Promise<ReadonlyMap<number, Collection>> {
  const opened = new Map<number, Collection>();
  for (const [id, records] of groupBy(next, ({ id }) => id)) {
    const partition = keys.actions(target.site, id);
    const before = find(id)?.state;
    // A live macro keeps its actions unless a record deletes it, so only then are they read.
    if (before === 'live' && !records.some(({ deleted }) => deleted)) continue;
    opened.set(id, await open(partition));
    if (before === 'deleted' && records.some(({ deleted }) => deleted === false)) await sweep(target, partition);
  }
  return opened;
}

/** What becomes of the lists of actions of macros that come or go. */
function draftActionLists(opened: ReadonlyMap<number, Collection>) {
  const changes = new Map<number, Change>(); // by macro
  let writes = 0;

  function actionsOf(macro: number): Collection {
    const actions = opened.get(macro);
    if (actions === undefined) throw new Error(`the actions of macro ${macro} were not read`);
    return actions;
  }

  return {
    /** A macro has no actions yet; `version`: the last version of those that it once had. */
    begin: (macro: number, version: number): void => {
      changes.set(macro, { collection: actionsOf(macro), version: version + 1 });
      writes += 1;
    },
    /** The actions of a macro go with it. Returns their last version. */
    close: (macro: number): number => {
      const collection = actionsOf(macro);
      changes.set(macro, { collection, remove: [...collection.items.keys()], close: true });
      writes += writesToClose(collection);
      return collection.version;
    },
    changes: () => changes.values(),
    /** The writes that wait, with the most that a record of a macro may add. */
    waiting: (macro: number): number => {
      if (changes.has(macro)) return Infinity; // the actions of a macro come or go once in a transaction
      return writes + writesToClose(opened.get(macro));
    },
  };
}

/** The writes that delete a macro's actions: head, order, and as many of them as go in the same transaction. */
const writesToClose = (actions: Collection | undefined): number =>
  2 + Math.min(actions?.items.size ?? 0, IN_TRANSACTION);

/** Removes actions that a crash may have left of a deleted macro, before the macro comes back. */
async function sweep({ table }: ImportTarget, { pk }: Partition): Promise<void> {
  const left = await table.query(pk);
  if (left.length > 0) await table.batchWrite(left.map((item) => ({ delete: item })));
}
