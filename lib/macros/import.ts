import { fullReason } from '../store/bounds.ts';
import type { Change, Collection } from '../store/collection.ts';
import { type ImportTarget, raiseIds, readHeads } from '../store/import-target.ts';
import { keys, members, type Partition } from '../store/keys.ts';
import { replan } from '../store/replan.ts';
import { actionItem, storedAction } from './action.ts';
import {
  byPosition,
  lastPosition,
  listMacros,
  type Macro,
  macroDeletion,
  macroItem,
  type StoredMacro,
  storedMacro,
} from './macro.ts';
import { type ImportedAction, type ImportedMacro, mergeAction, mergeMacro } from './merge.ts';

/**
 * Imports a macro under its id and keeps newly assigned ids above it. Returns the reason if it is refused, else
 * undefined.
 */
export function importMacro(target: ImportTarget, record: ImportedMacro): Promise<string | undefined> {
  const { site } = target;
  const { id } = record;
  return replan(async () => {
    const own = keys.actions(site, id);
    const open = await readHeads(target, [keys.macros(site), keys.ids(site), own]);
    const macros = await open(keys.macros(site));
    const ids = await open(keys.ids(site));
    const actions = await open(own);
    const before = storedMacro(macros, id);
    const after = mergeMacro(before, record, lastPosition(macros) + 1, target.now);
    if (after === undefined) return undefined;
    const isOneMore = after.state === 'live' && before?.state !== 'live';
    const full = isOneMore ? fullReason('macros', macros.order.length) : undefined;
    if (full !== undefined) return full;
    const changes = after.state === 'live' ? placing(macros, before, after) : removing(macros, actions, before, after);
    if (isOneMore) {
      await sweep(target, own);
      changes.push({ collection: actions, version: (before?.state === 'deleted' ? before.actions : 0) + 1 });
    }
    await target.collections.commit(target.table, [...changes, ...raiseIds(ids, id)]);
    return undefined;
  });
}

/** Records macros that only history mentions, so that meta shows them by their ids and no new macro gets such an id. */
export function mentionMacros(target: ImportTarget, named: readonly number[]): Promise<void> {
  const { site } = target;
  return replan(async () => {
    const open = await readHeads(target, [keys.macros(site), keys.ids(site)]);
    const macros = await open(keys.macros(site));
    const ids = await open(keys.ids(site));
    const missing = [...new Set(named)].filter((id) => !macros.items.has(members.macro(id)));
    for (let at = 0; at < missing.length; at += MENTIONS) {
      const some = missing.slice(at, at + MENTIONS);
      const put = some.map((id) => macroItem(macros, { state: 'mentioned', id }));
      await target.collections.commit(target.table, [{ collection: macros, put }, ...raiseIds(ids, Math.max(...some))]);
    }
  });
}

const MENTIONS = 90; // macros in one transaction

/** Imports an action of a macro under its id. Returns the reason if it is refused, else undefined. */
export function importAction(target: ImportTarget, record: ImportedAction): Promise<string | undefined> {
  const { site } = target;
  const { id } = record;
  return replan(async () => {
    const macro = record.macro ?? (await macroOf(target, id));
    if (macro === undefined) return undefined; // a deletion of an action that never existed
    const open = await readHeads(target, [keys.actions(site, macro), keys.ids(site)]);
    const actions = await open(keys.actions(site, macro));
    const ids = await open(keys.ids(site));
    if (actions.version === 0) return record.deleted ? undefined : `macro: ${macro} is not a macro of this site`;
    const before = storedAction(actions, id);
    const after = mergeAction(before, record, target.now);
    if (typeof after !== 'object') return after;
    const isOneMore = after.state === 'live' && before?.state !== 'live';
    const full = isOneMore ? fullReason('actions', actions.order.length) : undefined;
    if (full !== undefined) return full;
    const others = actions.order.filter((other) => other !== id);
    const order = after.state === 'live' ? [...others, id].sort((a, b) => a - b) : others;
    const change = { collection: actions, put: [actionItem(actions, after)], order };
    await target.collections.commit(target.table, [change, ...raiseIds(ids, id)]);
    return undefined;
  });
}

function placing(macros: Collection, before: StoredMacro | undefined, after: Macro): Change[] {
  const put = [macroItem(macros, after)];
  if (before?.state === 'live' && before.position === after.position) return [{ collection: macros, put }];
  if (before?.state !== 'live' && after.position > lastPosition(macros))
    return [{ collection: macros, put, order: [...macros.order, after.id] }];
  const others = listMacros(macros, 'position').filter(({ id }) => id !== after.id);
  const order = [...others, after].sort(byPosition).map(({ id }) => id);
  return [{ collection: macros, put, order }];
}

function removing(
  macros: Collection,
  actions: Collection,
  before: StoredMacro | undefined,
  after: StoredMacro,
): Change[] {
  if (before?.state === 'live' && after.state === 'deleted') return macroDeletion(macros, actions, after);
  return [{ collection: macros, put: [macroItem(macros, after)] }];
}

/** Finds the macro that has an action by a lookup in each macro. */
async function macroOf({ site, table, collections }: ImportTarget, action: number): Promise<number | undefined> {
  const partition = keys.macros(site);
  const { order } = await collections.open(table, partition, await table.get(keys.head(partition)));
  const actionKeys = order.map((macro) => ({ ...keys.actions(site, macro), sk: members.action(action) }));
  const found = await table.batchGet(actionKeys);
  return order[found.findIndex((item) => item !== undefined)];
}

/** Removes actions that a crash may have left of a deleted macro, before the macro comes back. */
async function sweep({ table }: ImportTarget, { pk }: Partition): Promise<void> {
  const left = await table.query(pk);
  if (left.length > 0) await table.batchWrite(left.map((item) => ({ delete: item })));
}
