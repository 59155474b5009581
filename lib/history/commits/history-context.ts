import type { Table } from '../../store/table.ts';

/** The dependencies of code that works on a site's history; a request's context has all of them. */
export interface HistoryContext {
  readonly table: Table;
  readonly site: { readonly name: string; readonly added?: number | undefined };
  readonly clock: () => number; // epoch ms
  readonly newId: () => string; // returns a unique, unguessable token
}
