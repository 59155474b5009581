import * as z from 'zod';
import { R_READ, R_WRITE } from '../access/roles.ts';
import { movedBefore, namesField } from '../http/fields.ts';
import { between, listOf, Rejection, name as readName } from '../json-readers.ts';
import { memoize } from '../memo.ts';
import type { Edit } from '../resource/change.ts';
import { flag, freeText, nameText, type ThingOf } from '../resource/field.ts';
import { below, type Move, resource } from '../resource/resource.ts';
import { listedIn, type Storing } from '../resource/storing.ts';
import { type Collection, perVersion } from '../store/collection.ts';
import { keys, members } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import { byCodePoint } from '../text.ts';

const MOST_FOLDERS = 100;
const MOST_MOVED = 90; // macros that change their positions in one transaction

const FIELDS = {
  state: { stored: z.literal('live'), usual: 'live' },
  name: nameText({ required: true }),
  description: freeText(),
  enabled: flag({ usual: true }),
  position: {
    stored: z.int(), // from 1; gaps stay after deletes
    record: between(1, Number.MAX_SAFE_INTEGER),
    shown: () => z.int().positive(),
  },
  folders: {
    stored: z.array(z.string()).readonly(),
    usual: () => [],
    body: namesField(MOST_FOLDERS),
    record: readFolders,
    shown: () => z.array(z.string()),
  },
  updated_at: { stored: z.number() }, // epoch ms; not shown, but decides which record of an import is newest
};

export type Macro = ThingOf<typeof FIELDS>;

function readFolders(value: unknown, field: string): readonly string[] {
  const folders = listOf(readName)(value, field);
  if (folders.length > MOST_FOLDERS) throw new Rejection(`${field}: more than ${MOST_FOLDERS} elements`);
  return folders;
}

/** Kept in place of a deleted macro, so that old reports can name it. */
const deleted = z.object({
  state: z.literal('deleted'),
  id: z.int(),
  name: z.string(),
  updated_at: z.number(), // epoch ms
  actions: z.int(), // last version of its actions, from which they go on if the macro comes back
});

/** A macro that so far only history mentions. */
const mentioned = z.object({ state: z.literal('mentioned'), id: z.int() });

const gone = z.discriminatedUnion('state', [deleted, mentioned]);

export type StoredMacro = Macro | Readonly<z.infer<typeof gone>>;

/** A macro's item, checked once: a write changes one item, and the others need not be checked again. */
const parseMacro = memoize(
  (item: Item): StoredMacro => (isLive(item) ? MACROS.parse(item) : gone.parse(item)),
  new WeakMap(),
);

const isLive = ({ state }: Item): boolean => state === 'live';

/** The order of the list; an import may give two macros one position. */
const byPosition = (a: Item, b: Item): number => Number(a.position) - Number(b.position) || Number(a.id) - Number(b.id);

const sorted =
  (compare: (a: Macro, b: Macro) => number) =>
  ({ items }: Collection): readonly Item[] =>
    [...items.values()].filter(isLive).sort((a, b) => compare(MACROS.parse(a), MACROS.parse(b)));

/** A site's macros in one of their orders, ascending. */
const SORTED = {
  id: sorted((a, b) => a.id - b.id),
  position: sorted((a, b) => a.position - b.position || a.id - b.id),
  name: sorted((a, b) => byCodePoint(a.name, b.name) || a.id - b.id),
};
const ORDERS = {
  id: (macros: Collection) => perVersion(macros, SORTED.id),
  position: (macros: Collection) => perVersion(macros, SORTED.position),
  name: (macros: Collection) => perVersion(macros, SORTED.name),
};

const STORING: Storing = {
  partition: keys.macros,
  ...listedIn(members.macro, {
    all: ORDERS.position,
    deleted: ({ pk, sk, id, name }, updated_at) => ({ pk, sk, state: 'deleted', id, name, actions: 0, updated_at }),
    isIn: isLive,
    rank: ({ position }) => position,
    place: (order, macro, items) =>
      order.findLastIndex((other) => byPosition(items.get(other) ?? macro, macro) < 0) + 1,
    children: { name: 'actions', partition: keys.actions },
  }),
};

/** Macros: what agents do to a case with one click. */
export const MACROS = resource({
  one: 'macro',
  path: '/api/v2/macros',
  storing: STORING,
  roles: R_READ,
  extension: false,
  fields: FIELDS,
  orders: ORDERS,
  links: { actions: below('actions', 'macro_action') },
  writes: {
    limit: 'macros',
    roles: R_WRITE,
    deletes: true,
    moved: editsOfMove,
    examples: [
      { name: 'Assign to Engineering', description: null, enabled: true, folders: ['Support'] },
      { enabled: false },
    ],
    rule: ({ before, collection }) =>
      before ? {} : { position: Number(ORDERS.position(collection).at(-1)?.position ?? 0) + 1 },
  },
});

/** Every macro that a site has had or that its history mentions, by id. */
export const storedMacros = (macros: Collection): readonly StoredMacro[] => perVersion(macros, readStored);

const readStored = ({ items }: Collection): StoredMacro[] =>
  [...items.values()].map(parseMacro).sort((a, b) => a.id - b.id);

/** The stored macro with an id, also a deleted or merely mentioned one. */
export function storedMacro({ items }: Collection, id: number): StoredMacro | undefined {
  const item = items.get(members.macro(id));
  return item && parseMacro(item);
}

/**
 * The edits that move a macro before another one, or to the end (null); none if it stands there already. The macros
 * between take the positions of their neighbours, so that all others keep theirs.
 */
function editsOfMove(macros: Collection, { id, before, faults }: Move): Edit[] {
  const items = ORDERS.position(macros);
  const order = movedBefore(
    items.map((item) => Number(item.id)),
    id,
    before,
  );
  if (order === undefined) faults.add('not_found', 'before');
  let last = 0;
  const edits = (order ?? []).flatMap((each, place) => {
    const item = macros.items.get(members.macro(each));
    last = Math.max(last + 1, Number(items[place]?.position)); // an import may give two macros one position
    return item === undefined || item.position === last ? [] : [{ before: item, after: { ...item, position: last } }];
  });
  if (edits.length > MOST_MOVED)
    faults.explain('too_large', ['before'], {
      message: `A macro moves past at most ${MOST_MOVED - 1} others at a time; ${edits.length - 1} lie between.`,
    });
  return edits;
}

export const macroItem = ({ pk }: Pick<Collection, 'pk'>, macro: StoredMacro): Item => ({
  pk,
  sk: members.macro(macro.id),
  ...macro,
});
