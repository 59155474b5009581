import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { type Faults, notFound } from '../errors.ts';
import { movedBefore } from '../http/fields.ts';
import { idShape, linkShape } from '../http/shapes.ts';
import { memoize } from '../memo.ts';
import { type Change, type Collection, perVersion, type StoredItems } from '../store/collection.ts';
import { members } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import { byCodePoint } from '../text.ts';

const live = z.object({
  state: z.literal('live'),
  id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  enabled: z.boolean(),
  position: z.int(), // from 1; gaps stay after deletes
  folders: z.array(z.string()).readonly(),
  updated_at: z.number(), // epoch ms; not shown, but decides which record of an import is newest
});

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

const stored = z.discriminatedUnion('state', [live, deleted, mentioned]);

export type Macro = Readonly<z.infer<typeof live>>;
export type StoredMacro = Readonly<z.infer<typeof stored>>;

/** A macro's item, checked once: a write changes one item, and the others need not be checked again. */
const parseMacro = memoize((item: Item): StoredMacro => stored.parse(item), new WeakMap());

/** The fields of a macro that a client may set. */
export type MacroFields = { -readonly [K in 'name' | 'description' | 'enabled' | 'folders']?: Macro[K] };

export const MACRO_ORDERS = ['id', 'position', 'name'] as const;
export type MacroOrder = (typeof MACRO_ORDERS)[number];

/** A macro as replies show it. */
export const macroShape = () =>
  z.object({
    id: idShape(),
    name: z.string(),
    description: z.string().nullable(),
    enabled: z.boolean(),
    position: z.int().positive(),
    folders: z.array(z.string()),
    _links: z.object({ self: linkShape('macro'), actions: linkShape('macro_action') }),
  });

export const MACROS_PATH = '/api/v2/macros';
export const macroPath = (id: number): string => `${MACROS_PATH}/${id}`;

export function showMacro({
  id,
  name,
  description,
  enabled,
  position,
  folders,
}: Macro): z.input<ReturnType<typeof macroShape>> {
  const _links = {
    self: { href: macroPath(id), class: 'macro' as const },
    actions: { href: `${macroPath(id)}/actions`, class: 'macro_action' as const },
  };
  return { id, name, description, enabled, position, folders: [...folders], _links };
}

/** The stored macro with an id, also a deleted or merely mentioned one. */
export function storedMacro({ items }: StoredItems, id: number): StoredMacro | undefined {
  const item = items.get(members.macro(id));
  return item && parseMacro(item);
}

/** Every macro that a site has had or that its history mentions, by id. */
export const storedMacros = (macros: Collection): readonly StoredMacro[] => perVersion(macros, readStored);

/** A site's macros in one of their orders, ascending. */
export function listMacros(macros: Collection, order: MacroOrder): readonly Macro[] {
  return perVersion(macros, ORDERS[order]);
}

const ORDERS: Readonly<Record<MacroOrder, (macros: Collection) => Macro[]>> = {
  id: (macros) => readLive(macros).sort((a, b) => a.id - b.id),
  position: (macros) => readLive(macros).sort(byPosition),
  name: (macros) => readLive(macros).sort((a, b) => byCodePoint(a.name, b.name) || a.id - b.id),
};

/** The order of the list; an import may give two macros one position. */
export const byPosition = (a: Macro, b: Macro): number => a.position - b.position || a.id - b.id;

const readStored = ({ items }: Collection): StoredMacro[] =>
  [...items.values()].map(parseMacro).sort((a, b) => a.id - b.id);

const readLive = (macros: Collection): Macro[] => storedMacros(macros).filter((macro) => macro.state === 'live');

/** A macro in its collection; throws `not_found`, also for a deleted one. */
export function macroIn(macros: Collection, id: number): Macro {
  const macro = storedMacro(macros, id);
  if (macro?.state !== 'live') throw notFound(`macro ${id}`);
  return macro;
}

/** The defaults of a macro's fields; the name is required to create one. */
export const USUAL_MACRO = { name: '', description: null, enabled: true, folders: [] };

/** A new macro, last in the order. `now` in epoch ms. */
export const newMacro = (macros: Collection, id: number, fields: MacroFields, now: number): Macro => ({
  state: 'live',
  id,
  ...USUAL_MACRO,
  ...fields,
  position: lastPosition(macros) + 1,
  updated_at: now,
});

/** The change that adds a new macro to the end of the order. */
export const macroAddition = (macros: Collection, macro: Macro): Change => ({
  collection: macros,
  put: [macroItem(macros, macro)],
  order: [...macros.order, macro.id],
});

/** The position of the last macro; 0 without macros. */
function lastPosition(macros: Collection): number {
  const last = storedMacro(macros, macros.order.at(-1) ?? 0);
  return last?.state === 'live' ? last.position : 0;
}

/** The items that an update changes; empty if nothing changes. `now` in epoch ms. */
export function planMacroUpdate(macros: Collection, macro: Macro, fields: MacroFields, now: number): Item[] {
  const after: Macro = { ...macro, ...fields };
  return isDeepStrictEqual(after, macro) ? [] : [macroItem(macros, { ...after, updated_at: now })];
}

const MOST_MOVED = 90; // macros that change their positions in one transaction

/**
 * The change that moves a macro before another one, or to the end (null); undefined if it stands there already. The
 * macros between take the positions of their neighbours, so that all others keep theirs.
 */
export function planMacroMove(
  macros: Collection,
  id: number,
  before: number | null,
  faults: Faults,
): Change | undefined {
  const listed = listMacros(macros, 'position');
  const order = movedBefore(
    listed.map((macro) => macro.id),
    id,
    before,
  );
  if (order === undefined) {
    faults.add('not_found', 'before');
    return undefined;
  }
  let last = 0;
  const put = order.flatMap((each, place) => {
    const macro = macroIn(macros, each);
    last = Math.max(last + 1, listed[place]?.position ?? 0); // an import may give two macros one position
    return macro.position === last ? [] : [macroItem(macros, { ...macro, position: last })];
  });
  if (put.length > MOST_MOVED)
    faults.explain('too_large', ['before'], {
      message: `A macro moves past at most ${MOST_MOVED - 1} others at a time; ${put.length - 1} lie between.`,
    });
  return put.length === 0 ? undefined : { collection: macros, put, order };
}

/** The changes that delete a macro: from the order, with its actions. Its name stays for old reports. */
export function macroDeletion(
  macros: Collection,
  actions: Collection,
  kept: Pick<Macro, 'id' | 'name' | 'updated_at'>,
): Change[] {
  const gone: StoredMacro = { state: 'deleted', ...kept, actions: actions.version };
  const order = macros.order.filter((id) => id !== kept.id);
  return [
    { collection: macros, put: [macroItem(macros, gone)], order },
    { collection: actions, remove: [...actions.items.keys()], close: true },
  ];
}

export const macroItem = ({ pk }: Collection, macro: StoredMacro): Item => ({
  pk,
  sk: members.macro(macro.id),
  ...macro,
});
