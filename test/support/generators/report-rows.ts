import type { Plan } from '../../../lib/insights/plan.ts';
import { reportJson, reportShape } from '../../../lib/insights/report-json.ts';
import type { ScanResult } from '../../../lib/insights/scan/scan-result.ts';

/** The rows of a scan's result, as a client reads them. */
export const reportRows = (plan: Plan, result: ScanResult) =>
  rowsIn(reportJson({ tables: new Map([['data', { plan, result }]]) }));

/** The rows in a reply. */
export const rowsIn = (reply: string) => shape.parse(JSON.parse(reply)).data;

const shape = reportShape();
