import {
  type Board,
  type BoardPart,
  type BoardPlan,
  numberedTiles,
  planBoard,
  type ShownTile,
  scopeOf,
  shownTiles,
} from '../console/model/board/board.ts';
import type { Definitions } from '../console/model/definitions.ts';
import { requestOf } from '../console/model/report/report-request.ts';
import type { Context } from '../context.ts';
import { Failure } from '../errors.ts';
import type { ReportReader } from '../insights/report-engine.ts';
import { boardIn } from '../insights/saved/board.ts';
import { savedReportsIn } from '../insights/saved/saved-report.ts';
import { keys } from '../store/keys.ts';
import { type MailReport, reportForMail } from './mail/reports.ts';

/** A board with its tiles, and the answer to each of its requests: a report, or why there is none. */
export interface AnsweredBoard {
  readonly board: Pick<Board, 'id' | 'name' | 'tiles'>;
  readonly shown: readonly BoardPart[];
  readonly tiles: readonly ShownTile[]; // those that have numbers
  readonly plan: BoardPlan; // of `tiles`
  readonly answers: readonly (MailReport | Failure)[]; // by index of the plan's requests
}

/** Computes all that a board shows, as of the context's moment. Throws `not_found` if the board was removed. */
export async function answerBoard(
  context: Context,
  id: number,
  definitions: Definitions,
  reader?: ReportReader,
): Promise<AnsweredBoard> {
  const { site } = context;
  const board = boardIn((await context.open(keys.boards(site.name))).items, id);
  const saved = savedReportsIn((await context.open(keys.savedReports(site.name))).items);
  const shown = shownTiles(board.tiles, saved, scopeOf({ time: board.time, filters: board.filters }));
  const tiles = numberedTiles(shown);
  const plan = planBoard(tiles, definitions);
  const answers: (MailReport | Failure)[] = [];
  for (const { state } of plan.requests)
    answers.push(await reportForMail(context, requestOf(state, site.timeZone), definitions, reader).catch(refusalOf));
  return { board, shown, tiles, plan, answers };
}

/** A refusal stands in a tile's place; anything else fails the whole, which is tried again. */
function refusalOf(error: unknown): Failure {
  if (error instanceof Failure && error.kind === 'invalid') return error;
  throw error;
}

/** Why a tile has no numbers, for people. */
export const refusalText = (answer: Failure | undefined): string =>
  `This report cannot be computed. ${answer?.details?.map(({ message }) => message).join(' ') ?? ''}`.trim();
