import type { Context } from '../context.ts';
import type { HistoryReader } from '../history/read.ts';
import type { Reference } from './reference.ts';
import type { ComputedReport } from './report-json.ts';
import type { ReportRequest } from './request.ts';

/** A report to compute, with the history that a scan of it would read. */
export interface EngineReport {
  readonly request: ReportRequest;
  readonly reference: Reference;
  readonly reader: HistoryReader;
}

/** Counts what is too much for a scan, by a warehouse (docs/design/scale.md). */
export interface ReportEngine {
  /** The request as of the query that was begun for it and has not been answered; undefined if there is none. */
  begun(context: Context, request: ReportRequest): Promise<ReportRequest | undefined>;
  /**
   * Computes a report as of now, or of its query; undefined if it is to be scanned. Throws the 422 `too_large`, 429 while the
   * site has another query, and 503 while the warehouse has no answer.
   */
  compute(context: Context, report: EngineReport): Promise<Omit<ComputedReport, 'unknown'> | undefined>;
  /** Throws the 422 `too_large` for a list of cases that would read as much as a report that is not scanned. */
  checkList(context: Context, report: EngineReport): Promise<void>;
}

/** Reads histories for reports; where there is an engine, reports ask it first. */
export interface ReportReader extends HistoryReader {
  readonly engine?: ReportEngine | undefined;
}
