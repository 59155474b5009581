import { R_INSIGHTS } from '../../access/roles.ts';
import { idOf } from '../../http/fields.ts';
import { show } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import type { ReportReader } from '../../insights/report-engine.ts';
import { reportPartitions } from '../routes.ts';
import { NUMBERS_ROUTE } from './kept-numbers.ts';
import { numbersOfBoard } from './numbers.ts';

/** The route that computes what a link shows: work for the thread of reports, which no request reaches. */
export const sharedNumbersRoute = (reader?: ReportReader): Route =>
  route({
    name: NUMBERS_ROUTE,
    summary: 'Compute the numbers of a board for those who have a link to it',
    method: 'POST',
    path: '/api/v2/boards/{board_id}/numbers',
    roles: R_INSIGHTS,
    success: 200,
    reads: reportPartitions,
    handle: async ({ context, params }) => show(await numbersOfBoard(context, idOf(params.board_id), reader)),
  });
