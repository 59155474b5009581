import * as z from 'zod';
import { R_INSIGHTS } from '../../access/roles.ts';
import type { Context } from '../../context.ts';
import { Failure, type Faults, notFound } from '../../errors.ts';
import { nameField } from '../../http/fields.ts';
import { readsOfResource, writesOfResource } from '../../http/resource.ts';
import type { Route } from '../../http/route.ts';
import { idShape, linkShape, timestampShape } from '../../http/shapes.ts';
import type { Collection } from '../../store/collection.ts';
import { keys, members } from '../../store/keys.ts';
import { timestamp } from '../../text.ts';
import { readRequest } from '../request.ts';
import { type KeptResource, keptIn } from './kept.ts';
import { SAVED_REPORTS_PATH } from './saved-report.ts';

/** How a tile shows its report. */
const SHOWN_AS = ['number', 'line', 'bars', 'stacked', 'heat', 'table'] as const;

const MOST_TILES = 30; // of a board: more would not be looked at, and a site answers one report at a time
const SETTINGS_SIZE = 64 * 1024; // bytes of JSON, of `time` and of `filters`

const absentIsBlank = {
  error: ({ input }: { readonly input?: unknown }) => (input === undefined || input === null ? 'blank' : 'invalid'),
};

const tile = () =>
  z.object(
    {
      saved_report: z.int(absentIsBlank).min(1, 'invalid'),
      shown_as: z.enum(SHOWN_AS, absentIsBlank),
      width: z
        .union([z.literal(1), z.literal(2)], 'invalid')
        .default(1)
        .meta({ description: 'Columns' }),
      pinned: z
        .boolean('invalid')
        .default(false)
        .meta({ description: "The tile keeps the period and the filters of its report, whatever the board's are" }),
    },
    'invalid',
  );

const tiles = () => z.array(tile(), 'invalid').max(MOST_TILES, 'too_long');
const anyObject = () => z.record(z.string(), z.unknown(), 'invalid');

const stored = z.object({
  id: z.int(),
  name: z.string(),
  tiles: z.string(), // JSON
  time: z.string().nullable(), // JSON of a report's `time`
  filters: z.string().nullable(), // JSON of a report's `filters`
  created_at: z.number(), // epoch ms
  updated_at: z.number(),
});

type Board = Readonly<z.infer<typeof stored>>;
type Tile = z.output<ReturnType<typeof tile>>;

const boardShape = () =>
  z.object({
    id: idShape(),
    name: z.string(),
    tiles: z.array(
      z.object({
        saved_report: idShape(),
        shown_as: z.enum(SHOWN_AS),
        width: z.union([z.literal(1), z.literal(2)]),
        pinned: z.boolean(),
        _links: z.object({ saved_report: linkShape('saved_report') }),
      }),
    ),
    time: z.record(z.string(), z.unknown()).nullable().meta({ description: "A report's `time`, as sent" }),
    filters: z.array(z.unknown()).nullable().meta({ description: "A report's `filters`, as sent" }),
    created_at: timestampShape(),
    updated_at: timestampShape(),
    _links: z.object({ self: linkShape('board') }),
  });

const BOARDS_PATH = '/api/v2/boards';

const tilesOf = ({ tiles: text }: Pick<Board, 'tiles'>): Tile[] => tiles().parse(JSON.parse(text));
/** The board of an id among the items of their collection, as replies show it. Throws `not_found`. */
export function shownBoardIn(items: Collection['items'], id: number): z.input<ReturnType<typeof boardShape>> {
  const item = items.get(members.board(id));
  if (item === undefined) throw notFound(`board ${id}`);
  return showBoard(stored.parse(item));
}

const read = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
const timeShape = anyObject().nullable();
const filtersShape = z.array(z.unknown(), 'invalid').nullable();

function showBoard(board: Board): z.input<ReturnType<typeof boardShape>> {
  const { id, name, time, filters, created_at, updated_at } = board;
  return {
    id,
    name,
    tiles: tilesOf(board).map((each) => ({
      ...each,
      _links: { saved_report: { href: `${SAVED_REPORTS_PATH}/${each.saved_report}`, class: 'saved_report' } },
    })),
    time: timeShape.parse(read(time)),
    filters: filtersShape.parse(read(filters)),
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
    _links: { self: { href: `${BOARDS_PATH}/${id}`, class: 'board' } },
  };
}

const BOARDS: KeptResource<Board> = {
  ...keptIn({ partition: keys.boards, member: members.board, stored }),
  path: BOARDS_PATH,
  param: 'board_id',
  shape: boardShape,
  show: showBoard,
};

/** Boards: read and written. */
export const boardRoutes: readonly Route[] = [
  ...readsOfResource(BOARDS),
  ...writesOfResource(BOARDS, {
    limit: 'boards',
    roles: R_INSIGHTS,
    deletes: true,
    fields: {
      name: nameField(),
      tiles: tiles().meta({ description: 'In their order' }),
      time: timeShape.meta({
        description: "The period of all tiles that are not pinned: a report's `time`; `window_size` may be left out",
      }),
      filters: filtersShape.meta({ description: "A report's `filters`, which hold beside those of each tile" }),
    },
    required: ['name'],
    examples: [
      {
        name: 'Monday',
        tiles: [{ saved_report: 1, shown_as: 'bars', width: 2, pinned: false }],
        time: { last: 4, unit: 'week' },
        filters: [[['Include', 'Channels', [{ id: 1 }]]]],
      },
      { tiles: [{ saved_report: 1, shown_as: 'table' }] },
    ],
    checks: (site) => [keys.savedReports(site)],
    plan: async ({ context, before, fields, faults }) => {
      if (fields.tiles) await checkReports(context, fields.tiles, before, faults);
      checkSettings(context, fields, faults);
      const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
      return {
        name: fields.name ?? before?.name ?? '',
        tiles: fields.tiles === undefined ? (before?.tiles ?? '[]') : JSON.stringify(fields.tiles),
        time: fields.time === undefined ? (before?.time ?? null) : json(fields.time),
        filters: fields.filters === undefined ? (before?.filters ?? null) : json(fields.filters),
      };
    },
  }),
];

/**
 * Adds a fault for each tile whose report is not there. A report that a tile of the board has already may have been
 * deleted since: nobody has to remove that tile to move another one.
 */
async function checkReports(
  context: Context,
  sent: readonly Tile[],
  before: Board | undefined,
  faults: Faults,
): Promise<void> {
  const { items } = await context.open(keys.savedReports(context.site.name));
  const known = new Set(before ? tilesOf(before).map(({ saved_report }) => saved_report) : []);
  for (const [index, { saved_report: id }] of sent.entries()) {
    if (known.has(id) || items.has(members.savedReport(id))) continue;
    const message = `There is no saved report ${id}.`;
    faults.explain('not_found', ['tiles'], { field: `tiles.${index}.saved_report`, message });
  }
}

/** Checks the period and the filters as those of a report. */
function checkSettings(
  { site, now }: Context,
  { time, filters }: { time?: Record<string, unknown> | null; filters?: unknown[] | null },
  faults: Faults,
): void {
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
