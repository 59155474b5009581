import { type Board, type BoardTile, OVERVIEW } from '../../model/board/board.ts';
import { requestOf } from '../../model/report/report-request.ts';
import { savedText } from '../../model/text/saved-text.ts';
import { text } from '../../model/text/text.ts';
import type { App } from '../context.tsx';
import { allOf, type Page } from '../edit/resource.ts';
import { SAVED_REPORTS, type SavedReport } from '../report/save.tsx';

export const BOARDS = '/api/v2/boards';

export const ALL_REPORTS = allOf(SAVED_REPORTS);

/** Makes a board of one's own from the overview; returns its id. Reports that were saved before are used again. */
export async function copyOverview({ api, names, definitions }: App): Promise<number> {
  const saved = (await api.ask<Page<SavedReport>>(ALL_REPORTS)).data._embedded.entries;
  const known = new Map(saved.map(({ id, name, request }) => [JSON.stringify([name, request]), id]));
  const tiles: Board['tiles'][number][] = [];
  for (const { title, shownAs, wide, state } of OVERVIEW) {
    const name = title ? text.overview[title] : names.field(state.fields[0] ?? '');
    const request = requestOf(state, definitions?.site.time_zone);
    const before = known.get(JSON.stringify([name, request]));
    const id =
      before ?? (await api.ask<SavedReport>(SAVED_REPORTS, { method: 'POST', body: { name, request } })).data.id;
    tiles.push({ saved_report: id, shown_as: shownAs, width: wide ? 2 : 1, pinned: false });
  }
  const body = { name: savedText.copyOf(text.overview.title), tiles, time: { last: 4, unit: 'week' } };
  return (await api.ask<Board>(BOARDS, { method: 'POST', body })).data.id;
}

/** A tile as it is sent, without what the API adds to it. */
export const sentTile = ({
  saved_report,
  heading,
  text: words,
  shown_as,
  width,
  pinned,
  goal,
}: BoardTile): BoardTile =>
  saved_report === undefined
    ? { ...(heading === undefined ? { text: words } : { heading }), width }
    : { saved_report, shown_as, width, pinned, ...(goal && { goal }) };

/** Copies a board under another name; returns the copy's id. */
export async function copyBoard({ api }: App, { name, tiles, time, filters }: Board): Promise<number> {
  const body = { name: savedText.copyOf(name), tiles: tiles.map(sentTile), time, filters };
  return (await api.ask<Board>(BOARDS, { method: 'POST', body })).data.id;
}
