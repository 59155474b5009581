import { fullReason } from '../store/bounds.ts';
import { type ImportTarget, raiseIds, readHeads } from '../store/import-target.ts';
import { keys, members } from '../store/keys.ts';
import { replan } from '../store/replan.ts';
import { type Refusals, takeTogether } from '../store/together.ts';
import { storedAction } from './action.ts';
import { type ActionDraft, draftActions } from './action-draft.ts';
import { macroItem } from './macro.ts';
import { draftMacros, type MacroDraft } from './macro-draft.ts';
import { type ImportedAction, type ImportedMacro, mergeAction, mergeMacro } from './merge.ts';

/** Imports macros under their ids, in their order, and keeps newly assigned ids above them. */
export const importMacros = (target: ImportTarget, records: readonly ImportedMacro[]): Promise<Refusals> =>
  takeTogether(records, {
    begin: (next) => draftMacros(target, next),
    take: (draft, record) => takeMacro(draft, target, record),
  });

function takeMacro(draft: MacroDraft, { now }: ImportTarget, record: ImportedMacro): string | undefined {
  const before = draft.find(record.id);
  const after = mergeMacro(before, record, draft.lastPosition() + 1, now);
  if (after === undefined) return undefined;
  if (after.state !== 'live') {
    draft.remove(after);
    return undefined;
  }
  const full = before?.state === 'live' ? undefined : fullReason('macros', draft.count());
  if (full === undefined) draft.place(after);
  return full;
}

/** Imports actions of macros under their ids, in their order. */
export const importActions = (target: ImportTarget, records: readonly ImportedAction[]): Promise<Refusals> =>
  takeTogether(records, {
    begin: (next) => draftActions(target, next),
    take: (draft, record) => takeAction(draft, target, record),
  });

function takeAction(draft: ActionDraft, { now }: ImportTarget, record: ImportedAction): string | undefined {
  const actions = draft.find(record);
  if (actions === undefined) return undefined; // a deletion of an action that never existed
  if (!actions.hasMacro) return record.deleted ? undefined : `macro: ${actions.macro} is not a macro of this site`;
  const before = storedAction(actions, record.id);
  const after = mergeAction(before, record, now);
  if (typeof after !== 'object') return after;
  const isOneMore = after.state === 'live' && before?.state !== 'live';
  const full = isOneMore ? fullReason('actions', actions.count()) : undefined;
  if (full === undefined) draft.put(actions.macro, after);
  return full;
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
