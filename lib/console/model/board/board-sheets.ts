import { filtersText } from '../names.ts';
import type { Report } from '../report/report.ts';
import { reportSheet, type Sheet, type SheetSite } from '../sheet.ts';
import { type BoardPlan, partOf, type ShownTile } from './board.ts';
import { goalText } from './goal.ts';

/** The sheets of a board: one a tile, by its name. `reports` are the answers to the plan's requests. */
export const boardSheets = (
  tiles: readonly ShownTile[],
  plan: BoardPlan,
  reports: readonly (Report | undefined)[],
  site: SheetSite,
): Sheet[] =>
  tiles.flatMap(({ state, title, shownAs, goal }, index) => {
    const report = reports[plan.of[index] ?? -1];
    if (report === undefined) return [];
    const part = partOf(report, state);
    const words = goal && goalText(part, goal, shownAs === 'number', site);
    return reportSheet(part, state.sort, site, { title, filters: filtersText(site.names, state.filters), goal: words });
  });
