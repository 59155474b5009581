import * as z from 'zod';
import { R_INSIGHTS } from '../../access/roles.ts';
import type { Context } from '../../context.ts';
import { Failure, type Faults, notFound } from '../../errors.ts';
import { nameField } from '../../http/fields.ts';
import type { Values } from '../../http/route.ts';
import { idShape } from '../../http/shapes.ts';
import { type CheckedWith, json, nameText, type ShownWith, type ThingOf, times } from '../../resource/field.ts';
import { linkedShape, linkTo } from '../../resource/link.ts';
import { resource } from '../../resource/resource.ts';
import { thingsIn } from '../../resource/storing.ts';
import type { Collection } from '../../store/collection.ts';
import { keys, members } from '../../store/keys.ts';
import { readRequest } from '../request.ts';
import { BOARD_LINKS } from './board-link.ts';
import { SAVED_REPORTS } from './saved-report.ts';

/** How a tile shows its report. */
const SHOWN_AS = ['number', 'line', 'bars', 'stacked', 'heat', 'table'] as const;

const MOST_TILES = 30; // of a board: more would not be looked at, and a site answers one report at a time
const SETTINGS_SIZE = 64 * 1024; // bytes of JSON, of `time` and of `filters`

const absentIsBlank = {
  error: ({ input }: { readonly input?: unknown }) => (input === undefined || input === null ? 'blank' : 'invalid'),
};

const LONGEST_TEXT = 4_000; // code points of a text tile

const goal = () =>
  z.object({ value: z.number(absentIsBlank), better: z.enum(['above', 'below'], absentIsBlank) }, 'invalid').meta({
    description: "What the first field is to reach, in the field's unit: at least (`above`) or at most (`below`)",
  });

/** A tile is a report, a heading or a text. */
const tile = () =>
  z
    .object(
      {
        saved_report: z.int(absentIsBlank).min(1, 'invalid').optional(),
        heading: nameField().optional().meta({ description: 'In place of `saved_report`' }),
        text: nameField(LONGEST_TEXT)
          .optional()
          .meta({ description: 'In place of `saved_report`: plain text, in which addresses become links' }),
        shown_as: z.enum(SHOWN_AS, absentIsBlank).optional().meta({ description: 'Of a report' }),
        width: z
          .union([z.literal(1), z.literal(2)], 'invalid')
          .default(1)
          .meta({ description: 'Columns' }),
        pinned: z
          .boolean('invalid')
          .default(false)
          .meta({ description: "The tile keeps the period and the filters of its report, whatever the board's are" }),
        goal: goal().nullable().optional(),
      },
      'invalid',
    )
    .superRefine(({ saved_report, heading, text, shown_as, goal: wanted }, { addIssue }) => {
      const fault = (field: string, message: string) => addIssue({ code: 'custom', path: [field], message });
      const isWords = heading !== undefined || text !== undefined;
      if (saved_report === undefined && !isWords) fault('saved_report', 'blank');
      if (shown_as === undefined && !isWords) fault('shown_as', 'blank');
      if (heading !== undefined && (saved_report !== undefined || text !== undefined)) fault('heading', 'invalid');
      if (text !== undefined && saved_report !== undefined) fault('text', 'invalid');
      if (isWords && wanted != null) fault('goal', 'invalid');
    });

const tiles = () => z.array(tile(), 'invalid').max(MOST_TILES, 'too_long');
const settings = {
  time: z.record(z.string(), z.unknown(), 'invalid').nullable(),
  filters: z.array(z.unknown(), 'invalid').nullable(),
};
type Settings = Values<typeof settings>;
type Tile = z.output<ReturnType<typeof tile>>;

const shownTiles = () =>
  z.array(
    z.object({
      saved_report: idShape().optional(),
      heading: z.string().optional(),
      text: z.string().optional(),
      shown_as: z.enum(SHOWN_AS).optional(),
      width: z.union([z.literal(1), z.literal(2)]),
      pinned: z.boolean().optional(),
      goal: goal().optional(),
      _links: z.object({ saved_report: linkedShape('saved_report') }),
    }),
  );

/** Tiles with links to their reports. */
async function showTiles(shown: readonly Tile[], { context }: ShownWith) {
  const reports = await context.open(SAVED_REPORTS.storing.partition(context.site.name));
  return shown.map(({ saved_report, pinned, goal: wanted, ...own }) => ({
    ...(saved_report !== undefined && { saved_report }),
    ...own,
    ...(saved_report !== undefined && { pinned }),
    ...(wanted != null && { goal: wanted }),
    _links: { saved_report: linkTo(SAVED_REPORTS, saved_report, reports) },
  }));
}

/** Boards: saved reports beside one another. */
export const BOARDS = resource({
  one: 'board',
  path: '/api/v2/boards',
  storing: thingsIn(keys.boards, members.board),
  roles: R_INSIGHTS,
  reads: (site) => [keys.savedReports(site), keys.boardLinks(site)],
  fields: {
    name: nameText({ required: true }),
    tiles: {
      ...json({ value: tiles(), body: tiles().meta({ description: 'In their order' }), shown: shownTiles }),
      usual: () => [],
      check: checkReports,
      show: showTiles,
    },
    time: {
      ...json({
        value: settings.time,
        body: settings.time.meta({
          description: "The period of all tiles that are not pinned: a report's `time`; `window_size` may be left out",
        }),
        shown: () => settings.time.meta({ description: "A report's `time`, as sent" }),
      }),
      usual: null,
    },
    filters: {
      ...json({
        value: settings.filters,
        body: settings.filters.meta({ description: "A report's `filters`, which hold beside those of each tile" }),
        shown: () => settings.filters.meta({ description: "A report's `filters`, as sent" }),
      }),
      usual: null,
    },
    ...times(),
  },
  writes: {
    limit: 'boards',
    roles: R_INSIGHTS,
    deletes: true,
    examples: [
      {
        name: 'Monday',
        tiles: [
          { heading: 'This week' },
          { saved_report: 1, shown_as: 'bars', width: 2, pinned: false, goal: { value: 40, better: 'above' } },
        ],
        time: { last: 4, unit: 'week' },
        filters: [[['Include', 'Channels', [{ id: 1 }]]]],
      },
      { tiles: [{ saved_report: 1, shown_as: 'table' }] },
    ],
    removes: async (context, { id }) => withLinks(context, id),
    rule: ({ context, sent, faults }) => {
      checkSettings(context, sent, faults);
      return {};
    },
  },
});

/** What goes with a board: its links, their counts, and the numbers that they showed. */
async function withLinks({ open, site }: Context, board: number) {
  const collection = await open(keys.boardLinks(site.name));
  const { storing, parse } = BOARD_LINKS;
  const own = storing.all(collection).filter((item) => parse(item).board === board);
  return {
    plans: [{ collection, storing, edits: own.map((before) => ({ before, after: undefined })) }],
    writes: [{ delete: keys.sharedBoard(site.name, board) }],
  };
}

/** The board of an id among the items of their collection. Throws `not_found`. */
export function boardIn(items: Collection['items'], id: number): ThingOf<typeof BOARDS.fields> {
  const item = items.get(members.board(id));
  if (item === undefined) throw notFound(`board ${id}`);
  return BOARDS.parse(item);
}

/**
 * Adds a fault for each tile whose report is not there. A report that a tile of the board has already may have been
 * deleted since: nobody has to remove that tile to move another one.
 */
async function checkReports(value: unknown, { name: field, context, before, faults }: CheckedWith): Promise<void> {
  const { items } = await context.open(SAVED_REPORTS.storing.partition(context.site.name));
  const earlier = new Set(
    tiles()
      .parse(before?.[field] ?? [])
      .map(({ saved_report }) => saved_report),
  );
  for (const [index, { saved_report: id }] of tiles().parse(value).entries()) {
    if (id === undefined || earlier.has(id) || items.has(members.savedReport(id))) continue;
    faults.explain('not_found', [field, index, 'saved_report'], { message: `There is no saved report ${id}.` });
  }
}

/** Checks the period and the filters as those of a report. */
function checkSettings({ site, now }: Context, { time, filters }: Settings, faults: Faults): void {
  for (const [name, value] of Object.entries({ time, filters })) {
    if (Buffer.byteLength(JSON.stringify(value ?? null)) > SETTINGS_SIZE) faults.add('too_long', name);
  }
  if (faults.any) return;
  const period = { window_size: 'none', ...(time ?? { last: 1, unit: 'day' }) };
  try {
    readRequest({ fields: ['case_creates'], time: period, filters: filters ?? null }, site, now, faults);
  } catch (error) {
    if (!(error instanceof Failure) || error.errors === undefined) throw error; // its faults are in `faults` already
  }
}
