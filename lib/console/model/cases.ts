import type { Names } from './names.ts';
import { type ReportBody, requestOf } from './report/report-request.ts';
import type { ReportState } from './report/report-state.ts';
import { caseText } from './text/case-text.ts';

/** One entry behind a number, as `POST /api/v2/insights3/cases` lists it. */
export interface CaseEntry {
  readonly case: number | string;
  readonly at: string; // the instant that counts
  readonly value: number; // what the entry adds
  readonly counted: boolean; // false if it is only in the denominator
  readonly status: string | null;
  readonly deleted: boolean;
  readonly channel: number | null;
  readonly priority: number | null;
  readonly assignee: number | null;
  readonly group: number | null;
  readonly labels: readonly number[];
}

export interface CasesReply {
  readonly request: { readonly time: { readonly min: string; readonly max: string } };
  readonly total_entries: number;
  readonly cases: readonly CaseEntry[];
  readonly cursor: string | null;
}

/** The status of an entry's case in words. */
export const statusOf = ({ status, deleted }: CaseEntry, names: Names): string =>
  deleted ? caseText.isDeleted(names.of('status', status)) : names.of('status', status);

/** The orders of the list, as the address names them. */
export const ORDERS = [
  { id: 'oldest', sort: 'at', direction: 'asc' },
  { id: 'newest', sort: 'at', direction: 'desc' },
  { id: 'largest', sort: 'value', direction: 'desc' },
  { id: 'smallest', sort: 'value', direction: 'asc' },
] as const;

export type OrderId = (typeof ORDERS)[number]['id'];

/** The body of the request for the cases behind a report of one field. */
export function casesRequest(
  state: ReportState,
  order: OrderId,
  cursor: string | null,
  siteZone: string,
): Omit<ReportBody, 'totals'> & Record<string, unknown> {
  const { totals: _, ...body } = requestOf({ ...state, compare: null }, siteZone);
  const { sort, direction } = ORDERS.find(({ id }) => id === order) ?? ORDERS[0];
  return { ...body, sort, direction, per_page: 100, ...(cursor !== null && { cursor }) };
}
