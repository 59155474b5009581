import type { Definitions } from '../definitions.ts';
import type { Meta } from '../names.ts';
import type { Report } from '../report/report.ts';
import type { ReportState } from '../report/report-state.ts';
import type { BoardTile } from './board.ts';

/** A tile as who has a link sees it: its numbers, or a sentence in their place. */
export interface SharedTile extends Pick<BoardTile, 'heading' | 'text' | 'width' | 'goal'> {
  readonly shown_as: NonNullable<BoardTile['shown_as']>;
  readonly title: string;
  readonly state: ReportState; // without filters: what is filtered by stays here
  readonly report: Report | null;
  readonly note: string | null; // why there is no report
  readonly left: number; // rows that are not sent
}

/** A board as who has a link sees it: what `GET /api/v2/shared_boards/{key}` answers. */
export interface SharedBoard {
  readonly name: string;
  readonly at: string; // when it was computed, UTC
  readonly tiles: readonly SharedTile[];
  readonly definitions: Definitions; // of the fields and dimensions of its tiles
  readonly names: Meta; // of the members that it shows
}
