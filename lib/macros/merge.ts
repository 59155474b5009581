import { changesMember, merged } from '../store/import-target.ts';
import type { Action, StoredAction } from './action.ts';
import { findActionType } from './action-types.ts';
import { type Macro, type StoredMacro, USUAL_MACRO } from './macro.ts';

/** The fields of every record. An absent key changes nothing, null clears, the newest record wins (docs/import.md). */
interface Imported {
  readonly id: number;
  readonly deleted?: boolean;
  readonly updated_at?: number; // epoch ms
}

export interface ImportedMacro extends Imported {
  readonly name?: string;
  readonly description?: string | null;
  readonly enabled?: boolean | null;
  readonly position?: number | null; // from 1
  readonly folders?: readonly string[] | null;
}

export interface ImportedAction extends Imported {
  readonly macro?: number; // absent only with `deleted`
  readonly type?: string; // absent only with `deleted`
  readonly value?: unknown;
  readonly enabled?: boolean | null;
  readonly created_at?: number; // epoch ms
}

/** The macro after a record; undefined if the record changes nothing. */
export function mergeMacro(
  before: StoredMacro | undefined,
  record: ImportedMacro,
  next: number, // the position for a new last macro
  now: number,
): StoredMacro | undefined {
  const { id, updated_at = now } = record;
  const known = before?.state === 'mentioned' ? undefined : before;
  if (known && updated_at < known.updated_at) return undefined;
  const name = record.name ?? known?.name ?? String(id);
  const isDeleted = record.deleted ?? known?.state === 'deleted';
  const after: StoredMacro = isDeleted
    ? { state: 'deleted', id, name, updated_at, actions: known?.state === 'deleted' ? known.actions : 0 }
    : { ...live(known?.state === 'live' ? known : usual(id, next), record), name, updated_at };
  return changesMember(known, after, record) ? after : undefined;
}

const usual = (id: number, position: number): Macro => ({
  ...USUAL_MACRO,
  state: 'live',
  id,
  position,
  updated_at: 0,
});

/** The live macro after a record; a position cannot be cleared. */
const live = (before: Macro, { description, enabled, folders, position }: ImportedMacro): Macro => ({
  ...before,
  description: merged(before.description, description, USUAL_MACRO.description),
  enabled: merged(before.enabled, enabled, USUAL_MACRO.enabled),
  folders: merged(before.folders, folders, USUAL_MACRO.folders),
  position: position ?? before.position,
});

/** The action after a record; undefined if nothing changes; the reason as a string if the record is refused. */
export function mergeAction(
  before: StoredAction | undefined,
  record: ImportedAction,
  now: number,
): StoredAction | string | undefined {
  const { id, updated_at = now } = record;
  if (before && updated_at < before.updated_at) return undefined;
  if (record.deleted ?? before?.state === 'deleted') {
    const gone: StoredAction = { state: 'deleted', id, updated_at };
    return changesMember(before, gone, record) ? gone : undefined;
  }
  const known = before?.state === 'live' ? before : undefined;
  const type = record.type ?? known?.type;
  if (type === undefined) return 'type is missing';
  const value = record.value === undefined ? known?.value : record.value;
  if (value === undefined) return 'value is missing';
  const reading = findActionType(type)?.read(value);
  if (reading === undefined) return `type: ${JSON.stringify(type)} is not a type of a macro's action`;
  if ('code' in reading) return `value: ${JSON.stringify(value).slice(0, 80)} is not a value for ${type}`;
  const enabled = record.enabled === undefined ? (known?.enabled ?? true) : (record.enabled ?? true);
  const created_at = record.created_at ?? known?.created_at ?? updated_at;
  const after: Action = { state: 'live', id, type, value: reading.value, enabled, created_at, updated_at };
  return changesMember(before, after, record) ? after : undefined;
}
