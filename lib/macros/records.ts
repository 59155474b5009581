import { isToNote } from '../access/records.ts';
import { change, type Edits } from '../resource/change.ts';
import { importRecords, namingEdits, type Refusals, writerOf } from '../resource/records.ts';
import { isOlder, recordTime, written } from '../resource/write-time.ts';
import { fullReason } from '../store/bounds.ts';
import type { Collection } from '../store/collection.ts';
import { keys, members } from '../store/keys.ts';
import { replan } from '../store/replan.ts';
import { readHeads, type SiteTable } from '../store/site-table.ts';
import { ACTIONS, type ActionWrite, actionAfter, actionItem, type StoredAction, storedAction } from './action.ts';
import { findActionType } from './action-types.ts';
import { MACROS, type Macro, macroItem, type StoredMacro, storedMacro } from './macro.ts';

/** A record; the newest one wins (docs/import.md). */
interface Recorded {
  readonly id: number;
  readonly deleted?: boolean;
  readonly updated_at?: number; // epoch ms
}

/** A record of a macro: an absent field changes nothing, null clears. A position cannot be cleared. */
export type MacroRecord = Recorded & {
  readonly [F in 'description' | 'enabled' | 'position' | 'folders']?: Macro[F] | null;
} & { readonly name?: string };

export interface ActionRecord extends Recorded, Pick<ActionWrite, 'enabled' | 'created_at'> {
  readonly macro?: number; // absent only with `deleted`
  readonly type?: string; // absent only with `deleted`
  readonly value?: unknown;
}

const idOf = ({ id }: Recorded): number => id;

/** Writes records of macros under their ids, in their order, and keeps newly assigned ids above them. */
export const takeMacros = (target: SiteTable, records: readonly MacroRecord[]): Promise<Refusals> =>
  importRecords(target, records, {
    nameOf: idOf,
    begin: async (some) => {
      const { site, now } = target;
      const actions = some.map(({ id }) => keys.actions(site, id));
      const open = await readHeads(target, [keys.macros(site), keys.ids(site), ...actions]);
      const macros = await open(keys.macros(site));
      await sweepActions(target, macros, some);
      const positions = positionsOf(macros);
      return {
        open,
        take: (record) => {
          const after = macroOf(storedMacro(macros, record.id), record, { now, positions });
          if (typeof after !== 'object') return after ?? namingEdits(macros, MACROS.storing, members.macro(record.id));
          if (after.state === 'live') positions.set(after.id, after.position);
          else positions.remove(after.id);
          const before = macros.items.get(members.macro(after.id));
          return { collection: macros, storing: MACROS.storing, edits: [{ before, after: macroItem(macros, after) }] };
        },
      };
    },
  });

/** The positions of macros while records change them. */
type Positions = ReturnType<typeof positionsOf>;

function positionsOf(macros: Collection) {
  const positions = new Map(MACROS.storing.all(macros).map(({ id, position }) => [Number(id), Number(position)]));
  let last: number | undefined;
  const remove = (id: number): void => {
    if (positions.get(id) === last) last = undefined;
    positions.delete(id);
  };
  return {
    count: () => positions.size,
    last: (): number => {
      last ??= Math.max(0, ...positions.values());
      return last;
    },
    remove,
    set: (id: number, position: number): void => {
      remove(id);
      positions.set(id, position);
      if (last !== undefined) last = Math.max(last, position);
    },
  };
}

/** A macro after a record; a text if it is refused, undefined if nothing changes. */
function macroOf(
  stored: StoredMacro | undefined,
  record: MacroRecord,
  { now, positions }: { readonly now: number; readonly positions: Positions },
): StoredMacro | string | undefined {
  const { id } = record;
  const time = recordTime(record, now);
  const updated_at = time.at;
  const described = stored?.state === 'mentioned' ? undefined : stored;
  if (isOlder(time, described)) return undefined;
  const name = record.name ?? described?.name ?? String(id);
  if (record.deleted ?? described?.state === 'deleted') {
    const gone = described?.state === 'deleted' ? described : undefined;
    const after = written(gone, { state: 'deleted', id, name, actions: gone?.actions ?? 0, updated_at }, time);
    return after === gone ? undefined : after;
  }
  const before = described?.state === 'live' ? described : undefined;
  const full = before ? undefined : fullReason('macros', positions.count());
  if (full !== undefined) return full;
  const position = record.position ?? before?.position ?? positions.last() + 1;
  const after = written(before, MACROS.parse({ ...before, ...record, name, position, updated_at }), time);
  return after === before ? undefined : after;
}

/** Deletes actions that a crash has left of deleted macros, which must not come back with them. */
async function sweepActions({ site, table }: SiteTable, macros: Collection, some: readonly MacroRecord[]) {
  for (const { id, deleted } of some) {
    if (deleted !== false || storedMacro(macros, id)?.state !== 'deleted') continue;
    const left = await table.query(keys.actions(site, id).pk);
    if (left.length > 0) await table.batchWrite(left.map((item) => ({ delete: item })));
  }
}

/** Writes records of actions of macros under their ids, in their order. */
export const takeActions = (target: SiteTable, records: readonly ActionRecord[]): Promise<Refusals> =>
  importRecords(target, records, {
    nameOf: idOf,
    begin: async (some) => {
      const { site, now } = target;
      const macroOf = await findMacros(target, some);
      const named = [...new Set(some.map(macroOf))].filter((macro) => macro !== undefined);
      const open = await readHeads(target, [keys.ids(site), ...named.map((macro) => keys.actions(site, macro))]);
      const lists = new Map<number, { readonly actions: Collection; count: number }>(); // by macro
      for (const macro of named) {
        const actions = await open(keys.actions(site, macro));
        lists.set(macro, { actions, count: actions.order.length });
      }
      return {
        open,
        take: (record) => {
          const macro = macroOf(record);
          const list = macro === undefined ? undefined : lists.get(macro);
          if (list === undefined) return undefined; // a deletion of an action that never existed
          const { actions } = list;
          if (actions.version === 0) return record.deleted ? undefined : `macro: ${macro} is not a macro of this site`;
          const before = storedAction(actions, record.id);
          const after = actionOf(before, record, now);
          if (typeof after !== 'object' || after === before)
            return typeof after === 'string' ? after : namingEdits(actions, ACTIONS, members.action(record.id));
          const more = Number(after.state === 'live') - Number(before?.state === 'live');
          const full = more > 0 ? fullReason('actions', list.count) : undefined;
          if (full !== undefined) return full;
          list.count += more;
          return planOfAction(actions, before, after);
        },
      };
    },
  });

const planOfAction = (collection: Collection, before: StoredAction | undefined, after: StoredAction): Edits => ({
  collection,
  storing: ACTIONS,
  edits: [{ before: before && actionItem(collection, before), after: actionItem(collection, after) }],
});

/** The action after a record; undefined if the record is older; the reason as a text if it is refused. */
function actionOf(before: StoredAction | undefined, record: ActionRecord, now: number) {
  const { id } = record;
  const time = recordTime(record, now);
  if (isOlder(time, before)) return undefined;
  const gone = before?.state === 'deleted' ? before : undefined;
  if (record.deleted ?? gone !== undefined)
    return written<StoredAction, StoredAction>(gone, { state: 'deleted', id, updated_at: time.at }, time);
  const live = before?.state === 'live' ? before : undefined;
  const type = record.type ?? live?.type;
  if (type === undefined) return 'type is missing';
  const value = record.value === undefined ? live?.value : record.value;
  if (value === undefined) return 'value is missing';
  const reading = findActionType(type)?.read(value);
  if (reading === undefined) return `type: ${JSON.stringify(type)} is not a type of a macro's action`;
  if ('code' in reading) return `value: ${JSON.stringify(value).slice(0, 80)} is not a value for ${type}`;
  return actionAfter(id, live, { ...record, type, value: reading.value }, time);
}

/** Finds the macros of records that name none, by a lookup in each macro. */
async function findMacros(
  { site, table, collections }: SiteTable,
  some: readonly ActionRecord[],
): Promise<(record: ActionRecord) => number | undefined> {
  const macros = new Map<number, number>(); // by action
  const nameless = some.filter(({ macro }) => macro === undefined);
  const partition = keys.macros(site);
  const { order } =
    nameless.length === 0
      ? { order: [] }
      : await collections.open(table, partition, await table.get(keys.head(partition)));
  for (const { id } of nameless) {
    const items = await table.batchGet(
      order.map((macro) => ({ ...keys.actions(site, macro), sk: members.action(id) })),
    );
    const macro = order[items.findIndex((item) => item !== undefined)];
    if (macro !== undefined) macros.set(id, macro);
  }
  return ({ id, macro }) => macro ?? macros.get(id);
}

/** Records macros that only history mentions, so that meta shows them by their ids and no new macro gets such an id. */
export function mentionMacros(target: SiteTable, mentioned: readonly number[]): Promise<void> {
  const { site } = target;
  return replan(async () => {
    const open = await readHeads(target, [keys.macros(site), keys.ids(site)]);
    const macros = await open(keys.macros(site));
    const edits = [...new Set(mentioned)].flatMap((id) => {
      const before = macros.items.get(members.macro(id));
      const after = { ...(before ?? macroItem(macros, { state: 'mentioned', id })), unused: false };
      return isToNote(before) ? [{ before, after }] : [];
    });
    await change(writerOf(target, open), [{ collection: macros, storing: MACROS.storing, edits }]);
  });
}
