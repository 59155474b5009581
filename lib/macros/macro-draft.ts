import { type Change, type Collection, IN_TRANSACTION } from '../store/collection.ts';
import { type ImportTarget, raiseIds, readHeads } from '../store/import-target.ts';
import { keys, type Partition } from '../store/keys.ts';
import { type RecordDraft, waitingItems } from '../store/together.ts';
import { byPosition, listMacros, type Macro, macroItem, type StoredMacro, storedMacro } from './macro.ts';
import type { ImportedMacro } from './merge.ts';

/** A site's macros with changes that wait to be written together. */
export interface MacroDraft extends RecordDraft<Pick<ImportedMacro, 'id'>> {
  /** Reads what the next records need of the actions of their macros. */
  readonly prepare: (next: readonly ImportedMacro[]) => Promise<void>;
  readonly find: (id: number) => StoredMacro | undefined;
  readonly count: () => number; // live macros
  readonly lastPosition: () => number; // 0 without macros
  /** Writes a macro, at the place in the order that its position names. */
  readonly place: (macro: Macro) => void;
  /** Deletes a macro with its actions, or notes that one that never was is deleted. */
  readonly remove: (macro: Exclude<StoredMacro, Macro>) => void;
}

const BESIDE = 4; // writes besides those that wait: heads of macros and ids, the order, and one more macro

/** Opens a draft of a site's macros. */
export async function draftMacros(target: ImportTarget): Promise<MacroDraft> {
  const { site, table, collections } = target;
  const open = await readHeads(target, [keys.macros(site), keys.ids(site)]);
  const collection = await open(keys.macros(site));
  const ids = await open(keys.ids(site));
  const order = draftOrder(collection);
  const fates = draftFates(target);
  const waits = waitingItems(collection);
  const find = (id: number): StoredMacro | undefined => storedMacro({ items: waits }, id);
  let last = 0;

  function write(macro: StoredMacro): void {
    waits.put(macroItem(collection, macro));
    last = Math.max(last, macro.id);
  }

  return {
    find,
    count: order.count,
    lastPosition: order.lastPosition,
    prepare: (next) => fates.prepare(next, find),
    place: (macro) => {
      const before = find(macro.id);
      write(macro);
      order.place(macro);
      if (before?.state !== 'live') fates.come(macro.id, before?.state === 'deleted' ? before.actions : 0);
    },
    remove: (macro) => {
      const isLive = order.remove(macro.id);
      write(macro.state === 'deleted' && isLive ? { ...macro, actions: fates.go(macro.id) } : macro);
    },
    waiting: ({ id }) => {
      const { items, bytes } = waits.waiting();
      return { items: items + fates.waiting(id) + BESIDE, bytes };
    },
    write: async () => {
      if (waits.waiting().items === 0) return;
      const change = { ...waits.change(), ...order.change() };
      await collections.commit(table, [change, ...fates.changes(), ...raiseIds(ids, last)]);
      waits.clear();
      order.clear();
      fates.clear();
      last = 0;
    },
  };
}

/** The order of live macros, as it becomes: by their positions. */
function draftOrder(macros: Collection) {
  const listed = listMacros(macros, 'position');
  const live = new Map(listed.map((macro) => [macro.id, macro]));
  const order = listed.map(({ id }) => id);
  let isChanged = false;

  function leave(id: number): void {
    order.splice(order.indexOf(id), 1);
    isChanged = true;
  }

  return {
    count: () => order.length,
    lastPosition: () => live.get(order.at(-1) ?? 0)?.position ?? 0,
    place: (macro: Macro) => {
      const { id, position } = macro;
      const before = live.get(id);
      live.set(id, macro);
      if (before?.position === position) return;
      if (before !== undefined) leave(id);
      const place = order.findLastIndex((other) => byPosition(live.get(other) ?? macro, macro) < 0);
      order.splice(place + 1, 0, id);
      isChanged = true;
    },
    /** Returns whether the macro was live. */
    remove: (id: number) => {
      const isLive = live.delete(id);
      if (isLive) leave(id);
      return isLive;
    },
    change: (): Pick<Change, 'order'> => (isChanged ? { order: [...order] } : {}),
    clear: () => {
      isChanged = false;
    },
  };
}

/** What becomes of the actions of macros that come or go. */
function draftFates(target: ImportTarget) {
  const { site } = target;
  const opened = new Map<number, Collection>(); // by macro
  const fates = new Map<number, Change>(); // by macro
  let writes = 0;

  function actionsOf(macro: number): Collection {
    const actions = opened.get(macro);
    if (actions === undefined) throw new Error(`the actions of macro ${macro} were not read`);
    return actions;
  }

  return {
    prepare: async (next: readonly ImportedMacro[], find: (id: number) => StoredMacro | undefined) => {
      opened.clear();
      const some = [...new Set(next.map(({ id }) => id))];
      const open = await readHeads(
        target,
        some.map((id) => keys.actions(site, id)),
      );
      const idsOf = (deleted: boolean) => new Set(next.filter((one) => one.deleted === deleted).map(({ id }) => id));
      const [going, coming] = [idsOf(true), idsOf(false)];
      for (const id of some) {
        const partition = keys.actions(site, id);
        const before = find(id)?.state;
        // A live macro keeps its actions unless a record deletes it, so only then are they read.
        if (before === 'live' && !going.has(id)) continue;
        opened.set(id, await open(partition));
        if (before === 'deleted' && coming.has(id)) await sweep(target, partition);
      }
    },
    /** A macro has no actions yet; `version`: the last version of those that it once had. */
    come: (macro: number, version: number) => {
      fates.set(macro, { collection: actionsOf(macro), version: version + 1 });
      writes += 1;
    },
    /** The actions of a macro go with it. Returns their last version. */
    go: (macro: number) => {
      const collection = actionsOf(macro);
      fates.set(macro, { collection, remove: [...collection.items.keys()], close: true });
      writes += writesToClose(collection);
      return collection.version;
    },
    changes: () => [...fates.values()],
    /** The writes that wait, with the most that a record of a macro may add. */
    waiting: (macro: number) => {
      if (fates.has(macro)) return Infinity; // the actions of a macro come or go once in a transaction
      return writes + writesToClose(opened.get(macro));
    },
    clear: () => {
      fates.clear();
      writes = 0;
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
