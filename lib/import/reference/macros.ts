import { importActions, importMacros } from '../../macros/import.ts';
import type { ImportTarget } from '../../store/import-target.ts';
import type { Refusals } from '../../store/together.ts';
import type { MacroActionRecord, MacroRecord } from '../records/reference-record.ts';
import { timesToMillis } from './record-line.ts';

/** Imports macros together. */
export function takeMacros(target: ImportTarget, records: readonly MacroRecord[]): Promise<Refusals> {
  const read = ({ updated_at, ...rest }: MacroRecord) => ({ ...rest, ...timesToMillis({ updated_at }) });
  return importMacros(target, records.map(read));
}

/** Imports actions of macros together; refuses those of unknown macros. */
export function takeActions(target: ImportTarget, records: readonly MacroActionRecord[]): Promise<Refusals> {
  const read = ({ type: _type, action, updated_at, created_at, ...rest }: MacroActionRecord) => ({
    ...rest,
    ...timesToMillis({ updated_at, created_at }),
    ...(action === undefined ? {} : { type: action }),
  });
  return importActions(target, records.map(read));
}
