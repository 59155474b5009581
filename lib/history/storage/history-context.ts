import type { Table } from '../../store/table.ts';

/** The dependencies of code that works on a site's history; a request's context has all of them. */
export interface HistoryContext {
  readonly table: Table;
  readonly site: { readonly name: string; readonly added?: number | undefined };
  readonly clock: () => number; // epoch ms
  readonly newId: () => string; // returns a unique, unguessable token
  readonly manifestPart?: number; // segments of a part of the manifest; default: as many as an item holds
  readonly importId?: string | undefined; // of the import at work, which can be taken back (docs/design/undo.md); absent: none is
}
