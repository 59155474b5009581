import * as z from 'zod';
import { isWords, partOf, type ShownTile } from '../../console/model/board/board.ts';
import { boardSheets } from '../../console/model/board/board-sheets.ts';
import { goalText } from '../../console/model/board/goal.ts';
import { noDataOn } from '../../console/model/fields.ts';
import { siteMoment } from '../../console/model/mail.ts';
import { filtersText } from '../../console/model/names.ts';
import { type Report, rangesText, rangeText } from '../../console/model/report/report.ts';
import { stateOf } from '../../console/model/report/report-open.ts';
import { requestOf } from '../../console/model/report/report-request.ts';
import { readable, writeReportState } from '../../console/model/report/report-state.ts';
import { reportSheet, type Sheet } from '../../console/model/sheet.ts';
import { text } from '../../console/model/text/text.ts';
import { toXlsx } from '../../console/model/xlsx.ts';
import type { Context } from '../../context.ts';
import { Failure } from '../../errors.ts';
import type { ReportReader } from '../../insights/report-engine.ts';
import { savedReportIn } from '../../insights/saved/saved-report.ts';
import { keys } from '../../store/keys.ts';
import { answerBoard, refusalText } from '../board-answers.ts';
import type { Subscription } from '../subscription.ts';
import {
  type MailContent,
  type NumbersSection,
  numbersOf,
  rowsOfTables,
  type Section,
  tableSectionOf,
  type Writing,
} from './content.ts';
import { htmlOf } from './html.ts';
import { plainOf } from './plain.ts';
import { type MailReport, reportForMail, writingOf } from './reports.ts';
import { createTellWhy, type TellWhy } from './why.ts';

export const mailShape = () =>
  z.object({
    subject: z.string(),
    html: z.string(), // with `WAY_OUT` where the way out goes
    text: z.string(),
    attachments: z.array(
      z.object({
        name: z.string(),
        content: z.string().meta({ description: 'CSV, or a workbook in base64' }),
        type: z.enum(['csv', 'xlsx']),
      }),
    ),
  });

/** A mail without its addresses and its way out. */
export type Mail = Readonly<z.infer<ReturnType<typeof mailShape>>>;

const MOST_ATTACHED = 3_000_000; // characters of all attachments: mail servers refuse mails of 10 MB and more

/** Makes the mail of a subscription as of the context's moment. Throws `not_found` if its board or report was removed. */
export async function composeMail(
  context: Context,
  subscription: Pick<Subscription, 'board' | 'saved_report' | 'owner'>,
  reader?: ReportReader,
): Promise<Mail> {
  const writing = await writingOf(context);
  const why = `${subscription.owner} has these numbers sent to you.`;
  const made = await (subscription.board === null
    ? fromReport(context, subscription.saved_report ?? 0, writing, reader)
    : fromBoard(context, subscription.board, writing, reader));
  const noData = noDataOn(writing.definitions, made.fields);
  const lead = [...(made.ranges === undefined ? [] : [made.ranges]), zoneText(context, writing), ...noData];
  const content: MailContent = { ...made, lead, why };
  return {
    subject: made.range === undefined ? made.title : `${made.title}: ${made.range}`,
    html: htmlOf(content),
    text: plainOf(content),
    attachments: [...attachmentsOf(made.tables), ...(await workbookOf(made))],
  };
}

/** Whose numbers these are, of which moment, and by which clock. */
const zoneText = ({ site, now }: Context, { format }: Writing): string =>
  `${site.title}, ${text.boards.asOf(siteMoment(new Date(now).toISOString(), site.timeZone, format))}. Times as in ${site.timeZone}.`;

/** What a board or a report brings to a mail. */
interface MailParts extends Pick<MailContent, 'title' | 'sections' | 'link'> {
  readonly range: string | undefined; // undefined if parts have ranges of their own
  readonly fields: readonly string[];
  readonly ranges: string | undefined; // the same, with the range that it is compared with
  readonly tables: readonly { readonly title: string; readonly csv: string }[];
  readonly sheets: readonly Sheet[];
}

async function fromReport(
  context: Context,
  id: number,
  writing: Writing,
  reader: ReportReader | undefined,
): Promise<MailParts> {
  const { items } = await context.open(keys.savedReports(context.site.name));
  const saved = savedReportIn(items, id);
  const request = saved.request;
  const isNumber = request.dimension1 == null && request.dimension2 == null && windowOf(request) === 'none';
  const state = stateOf(request);
  const body = withTotals(request, isNumber);
  const { report, csv } = await reportForMail(context, body, writing.definitions, reader);
  const tellWhy = createTellWhy(context, writing, reader);
  const section: Section = isNumber
    ? {
        kind: 'numbers',
        numbers: withFirst(numbersOf(report, saved.name, writing), { why: await tellWhy(body, report) }),
      }
    : tableSectionOf(report, saved.name, { bars: true }, writing);
  return {
    title: saved.name,
    fields: report.fields,
    range: rangeText(report, writing.format),
    ranges: rangesText(report, writing.format),
    sections: [section],
    link: { href: `${context.origin}/console/report?${readable(writeReportState(state))}`, label: 'Open the report' },
    tables: [{ title: saved.name, csv }],
    sheets: [
      reportSheet(report, null, writing, { title: saved.name, filters: filtersText(writing.names, state.filters) }),
    ],
  };
}

/** Numbers of which the first one tells more. */
function withFirst([first, ...others]: NumbersSection['numbers'], more: Partial<NumbersSection['numbers'][number]>) {
  return first === undefined ? [] : [{ ...first, ...more }, ...others];
}

const windowOf = ({ time }: Readonly<Record<string, unknown>>): unknown =>
  typeof time === 'object' && time !== null && 'window_size' in time ? time.window_size : undefined;

/** A saved request with totals; a number also with the period before, if it does not say what to compare with. */
function withTotals(request: Readonly<Record<string, unknown>>, isNumber: boolean): object {
  const isAll = Object(request.time).all === true;
  const time = isNumber && !isAll ? { compare: 'previous_period', ...Object(request.time) } : request.time;
  return { ...request, time, totals: true };
}

async function fromBoard(
  context: Context,
  id: number,
  writing: Writing,
  reader: ReportReader | undefined,
): Promise<MailParts> {
  const { origin } = context;
  const { board, shown, tiles, plan, answers } = await answerBoard(context, id, writing.definitions, reader);
  const numbers = tiles.flatMap(({ shownAs, state }) => (shownAs === 'number' ? state.fields.length : []));
  const reports = answers.flatMap((each) => (each instanceof Failure ? [] : [each.report]));
  const ranges = new Set(reports.map((report) => rangeText(report, writing.format)));
  const hasRanges = ranges.size > 1;
  const rows = rowsOfTables(numbers, tiles.filter(({ shownAs }) => shownAs !== 'number').length, { ranges: hasRanges });
  const tellWhy = createTellWhy(context, writing, reader);
  const sections: Section[] = [];
  for (const tile of shown) {
    if (tile === undefined)
      sections.push({ kind: 'note', title: 'A report', note: 'It was deleted. The board still has a tile of it.' });
    else if (isWords(tile)) sections.push(tile);
    else {
      const answer = answers[plan.of[tiles.indexOf(tile)] ?? -1];
      const body = requestOf(tile.state, context.site.timeZone);
      sections.push(
        await sectionOf(tile, answer, { writing, rows, hasRanges, whyOf: (report) => tellWhy(body, report) }),
      );
    }
  }
  const compared = reports.find(({ before }) => before !== undefined) ?? reports[0];
  const tables = tiles.flatMap((tile, index) => {
    const answer = answers[plan.of[index] ?? -1];
    if (tile.shownAs === 'number' || answer === undefined || answer instanceof Failure) return [];
    return [{ title: titleOf(tile, writing), csv: answer.csv }];
  });
  return {
    title: board.name,
    fields: tiles.flatMap(({ state }) => state.fields),
    range: ranges.size === 1 ? [...ranges][0] : undefined,
    ranges: ranges.size === 1 ? compared && rangesText(compared, writing.format) : undefined,
    sections: joinNumbers(sections),
    link: { href: `${origin}/console/boards/${id}`, label: 'Open the board' },
    tables,
    sheets: boardSheets(
      tiles,
      plan,
      answers.map((answer) => (answer instanceof Failure ? undefined : answer.report)),
      writing,
    ),
  };
}

const titleOf = ({ title, state }: ShownTile, { names }: Writing): string =>
  title ?? state.fields.map(names.field).join(', ');

/** What the section of a tile is made with. */
interface SectionTools {
  readonly writing: Writing;
  readonly rows: number; // of a table
  readonly hasRanges: boolean; // the parts of the mail have several
  readonly whyOf: (report: Report) => ReturnType<TellWhy>;
}

async function sectionOf(
  tile: ShownTile,
  answer: MailReport | Failure | undefined,
  { writing, rows, hasRanges, whyOf }: SectionTools,
): Promise<Section> {
  const title = titleOf(tile, writing);
  if (answer === undefined || answer instanceof Failure) return { kind: 'note', title, note: refusalText(answer) };
  const report = partOf(answer.report, tile.state);
  const isNumber = tile.shownAs === 'number';
  const goal = tile.goal && goalText(report, tile.goal, isNumber, writing);
  if (!isNumber)
    return { ...tableSectionOf(report, title, { bars: tile.shownAs !== 'table', most: rows }, writing), goal };
  return {
    kind: 'numbers',
    numbers: withFirst(numbersOf(report, tile.title, writing), {
      ...(hasRanges && { ranges: rangesText(report, writing.format) }),
      ...{ goal, why: await whyOf(report) },
    }),
  };
}

/** Neighbouring numbers stand beside each other. */
function joinNumbers(sections: readonly Section[]): Section[] {
  const joined: Section[] = [];
  for (const section of sections) {
    const last = joined.at(-1);
    if (section.kind === 'numbers' && last?.kind === 'numbers') {
      const both: NumbersSection = { kind: 'numbers', numbers: [...last.numbers, ...section.numbers] };
      joined[joined.length - 1] = both;
    } else joined.push(section);
  }
  return joined;
}

/** A workbook of all that a mail shows, a sheet for each tile, if it fits. */
async function workbookOf({ title, sheets }: Pick<MailParts, 'title' | 'sheets'>): Promise<Mail['attachments']> {
  if (sheets.length === 0) return [];
  const content = Buffer.from(await toXlsx(sheets)).toString('base64');
  if (content.length > MOST_ATTACHED) return [];
  return [{ name: `${plainName(title)}.xlsx`, content, type: 'xlsx' }];
}

/** A name that every system takes. */
const plainName = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
    .toLowerCase() || 'report';

/** The tables that fit. */
export function attachmentsOf(tables: MailParts['tables']): Mail['attachments'] {
  let size = 0;
  return tables.flatMap(({ title, csv }, index) => {
    if (size + csv.length > MOST_ATTACHED) return [];
    size += csv.length;
    return [{ name: `${index + 1}-${plainName(title)}.csv`, content: csv, type: 'csv' }];
  });
}
