import type { Plan } from '../../../lib/insights/plan.ts';
import { reportJson, reportShape } from '../../../lib/insights/report.ts';
import type { Partial } from '../../../lib/insights/scan/partial.ts';

/** The rows of a scan's result, as a client reads them. */
export const reportRows = (plan: Plan, partial: Partial) => rowsIn(reportJson(new Map([['data', { plan, partial }]])));

/** The rows in a reply. */
export const rowsIn = (reply: string) => shape.parse(JSON.parse(reply)).data;

const shape = reportShape();
