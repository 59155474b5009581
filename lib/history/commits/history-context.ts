import type { Table } from '../../store/table.ts';

/** What work on a site's history stands on; a request's context has all of it. */
export interface HistoryContext {
  readonly table: Table;
  readonly site: { readonly name: string; readonly added?: number | undefined };
  readonly clock: () => number; // epoch ms
  readonly newId: () => string; // a token nobody else has
}
