import { isWords, partOf, type ShownTile } from '../../console/model/board/board.ts';
import type { SharedBoard, SharedTile } from '../../console/model/board/shared-board.ts';
import type { Definitions } from '../../console/model/definitions.ts';
import { type Meta, metaOf } from '../../console/model/names.ts';
import type { Member, Report } from '../../console/model/report/report.ts';
import { USUAL_REPORT } from '../../console/model/report/report-state.ts';
import type { Context } from '../../context.ts';
import { Failure } from '../../errors.ts';
import { readMeta } from '../../insights/meta.ts';
import type { ReportReader } from '../../insights/report-engine.ts';
import { siteDefinitions } from '../../insights/site-definitions.ts';
import { timestamp } from '../../text.ts';
import { answerBoard, refusalText } from '../board-answers.ts';

const MOST_ROWS = 1_000; // of a table
const LARGEST_TILE = 500_000; // characters of JSON of one tile
const LARGEST = 3_000_000; // characters of JSON of all tiles

/**
 * The numbers of a board for who has a link to it, as of the context's moment: names of the members that it shows, and
 * nothing else of the site. Throws `not_found` if the board was removed.
 */
export async function numbersOfBoard(context: Context, id: number, reader?: ReportReader): Promise<SharedBoard> {
  const { now } = context;
  const definitions: Definitions = await siteDefinitions(context);
  const { board, shown, tiles, plan, answers } = await answerBoard(context, id, definitions, reader);
  const { case_rating_type, ...kinds } = await readMeta(context);
  const meta: Meta = Object.assign<Meta, Pick<Meta, 'case_rating_type'>>(kinds, { case_rating_type });
  let size = 0;
  const made = board.tiles.map(({ shown_as = 'table', width, heading, text, goal }, index): SharedTile => {
    const part = shown[index];
    const tile = isWords(part) ? undefined : part;
    const none = { report: null, note: null, left: 0 };
    if (isWords(part))
      return {
        shown_as,
        width,
        title: '',
        state: stateWithout(undefined),
        ...(heading === undefined ? { text } : { heading }),
        ...none,
      };
    const state = stateWithout(tile);
    const empty = { shown_as, width, title: tile?.title ?? '', state, ...(goal && { goal }), ...none };
    if (tile === undefined) return { ...empty, note: 'Its report was deleted.' };
    const answer = answers[plan.of[tiles.indexOf(tile)] ?? -1];
    if (answer === undefined || answer instanceof Failure) return { ...empty, note: refusalText(answer) };
    const { report, left } = shortened(partOf(answer.report, tile.state), tile);
    const bytes = JSON.stringify(report).length;
    if (bytes > LARGEST_TILE || size + bytes > LARGEST) return { ...empty, note: 'It is too large for a link.' };
    size += bytes;
    return { ...empty, report, left, note: null };
  });
  const reports = made.flatMap(({ report }) => report ?? []);
  const names = metaOf(definitions, meta, membersIn(reports));
  return {
    name: board.name,
    at: timestamp(now),
    tiles: made,
    definitions: ofReports(definitions, reports),
    names: Object.assign<Meta, Pick<Meta, 'case_rating_type'>>(names, { case_rating_type }),
  };
}

/** What a tile asks for, without what it is filtered by. */
function stateWithout(tile: ShownTile | undefined): SharedTile['state'] {
  return { ...USUAL_REPORT, ...tile?.state, filters: [], byValues: [], andValues: [], saved: null };
}

/** A report of which a table has the first rows alone, and a number none. */
function shortened(report: Report, { shownAs }: ShownTile): { readonly report: Report; readonly left: number } {
  if (shownAs === 'number') return { report: withRows(report, 0), left: 0 };
  const left = shownAs === 'table' ? Math.max(0, report.rows.length - MOST_ROWS) : 0;
  return { report: left === 0 ? report : withRows(report, MOST_ROWS), left };
}

const withRows = (report: Report, most: number): Report => ({ ...report, rows: report.rows.slice(0, most) });

function membersIn(reports: readonly Report[]): ReadonlyMap<string, ReadonlySet<Member>> {
  const used = new Map<string, Set<Member>>();
  for (const { dimensions, rows, before, totals } of reports)
    for (const [index, dimension] of dimensions.entries()) {
      const members = used.get(dimension) ?? new Set();
      used.set(dimension, members);
      for (const row of [...rows, ...(before?.rows ?? []), ...(totals?.members ?? [])]) {
        const member = row.members[index];
        if (member != null) members.add(member);
      }
    }
  return used;
}

/** The definitions of what some reports have; of the site its name and its clock. */
function ofReports(definitions: Definitions, reports: readonly Report[]): Definitions {
  const fields = new Set(reports.flatMap((report) => report.fields.map((field) => field.split(':')[0])));
  const dimensions = new Set(reports.flatMap((report) => report.dimensions.map((name) => name.split(':')[0])));
  const { title, time_zone, week_start, default_locale } = definitions.site;
  return {
    fields: definitions.fields.filter(({ name }) => fields.has(name)),
    durations: definitions.durations.filter(({ name }) => fields.has(name)),
    statistics: definitions.statistics,
    dimensions: definitions.dimensions.filter(({ name }) => dimensions.has(name.split(':')[0])),
    filter_objects: [],
    action_types: [],
    site: { title, time_zone, week_start, default_locale, locales: [], case_url: null },
  };
}
