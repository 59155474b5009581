import { unitOf } from '../../console/model/fields.ts';
import { numberBefore, type Report } from '../../console/model/report/report.ts';
import { whyLines, whyRequest } from '../../console/model/report/why.ts';
import type { Context } from '../../context.ts';
import type { HistoryReader } from '../../history/read.ts';
import { readChangeRequest } from '../../insights/changes/change-request.ts';
import { findChanges } from '../../insights/changes/changes.ts';
import { describeError } from '../../log.ts';
import type { Writing } from './content.ts';

/** Tells why the number of a report moved: its request as it was sent, and what came of it. */
export type TellWhy = (body: object, report: Report) => Promise<readonly string[]>;

/**
 * Returns what tells why numbers moved, over the history of the context, in the first lines of the console. All of them
 * have half of the time that is left, and what cannot be told in it is left out: no number waits for its why.
 */
export function createTellWhy(
  context: Context,
  { definitions, names, format }: Writing,
  reader?: HistoryReader,
): TellWhy {
  const { clock, deadline, site, now, log } = context;
  const within = { ...context, deadline: clock() + (deadline - clock()) / 2 };
  return async (body, report) => {
    const { fields, before, totals } = report;
    const [value, earlier] = [totals?.all.values[0] ?? null, numberBefore(report)];
    if (fields.length !== 1 || before === undefined || value === null || earlier === null || value === earlier)
      return [];
    try {
      const asked = readChangeRequest({ ...whyRequest({ ...body, fields }, before) }, site, now);
      const changes = await findChanges(within, asked, reader);
      return whyLines(changes, unitOf(definitions, fields[0] ?? ''), names, format);
    } catch (error) {
      log('warn', 'why a number moved is not told', { site: site.name, ...describeError(error) });
      return [];
    }
  };
}
