import * as z from 'zod';
import type { Role } from '../access/roles.ts';
import type { User } from '../access/users.ts';
import type { Context } from '../context.ts';
import type { Faults } from '../errors.ts';
import type { Values } from '../http/route.ts';
import { idShape, linkShape } from '../http/shapes.ts';
import { type JsonFields, optional, required } from '../json-readers.ts';
import { memoize } from '../memo.ts';
import type { Limited } from '../store/bounds.ts';
import type { Collection } from '../store/collection.ts';
import type { Partition } from '../store/keys.ts';
import type { Item, Write } from '../store/table.ts';
import { keysOf } from '../typed-object.ts';
import type { Edit, Edits } from './change.ts';
import type {
  BodyOf,
  FieldTable,
  RecordFieldsOf,
  ResourceField,
  StoredFields,
  StoredOf,
  ThingOf,
  UpdateOf,
} from './field.ts';
import { linkedShape, linkTo } from './link.ts';
import type { Storing } from './storing.ts';

/** A link of a reply, besides `self` and those of fields. */
export interface Link {
  readonly shape: () => z.ZodType;
  readonly show: (of: { readonly id: number; readonly href: string; readonly context: Context }) => unknown; // may be a promise
}

/** A link to a path below the thing. */
export const below = (path: string, name = path): Link => ({
  shape: () => linkShape(name),
  show: ({ href }) => ({ href: `${href}/${path}`, class: name }),
});

/** How clients write the things of a resource. */
export interface Writes<F extends FieldTable> {
  readonly limit: Limited;
  readonly roles: readonly Role[];
  readonly examples: readonly [create: unknown, update: unknown];
  readonly deletes: boolean;
  readonly moved?: (collection: Collection, move: Move) => readonly Edit[]; // absent: they have no order
  /** What else is written where a thing is removed: what hangs on it goes. `reads` of the resource has the collections. */
  readonly removes?: (
    context: Context,
    thing: ThingOf<F>,
  ) => Promise<{ readonly plans: readonly Edits[]; readonly writes: readonly Write[] }>;
  /** What a table cannot say: adds faults, and returns further values. */
  readonly rule?: (asked: Asked<F>) => Partial<ThingOf<F>> | Promise<Partial<ThingOf<F>>>;
}

/** What a move asks for: a thing before another one, or at the end. */
export interface Move {
  readonly id: number;
  readonly before: number | null;
  readonly now: number; // epoch ms
  readonly faults: Faults; // to which those of the move are added
}

/** A write that a rule decides about. */
export interface Asked<F extends FieldTable> {
  readonly context: Context;
  readonly collection: Collection;
  readonly before: ThingOf<F> | undefined; // undefined: it is created
  readonly after: Partial<ThingOf<F>>; // with what is sent; something is missing only beside a fault
  readonly sent: Values<BodyOf<F>>;
  readonly faults: Faults;
}

/** A kind of things, as it is declared. */
export interface ResourceDeclaration<F extends FieldTable> {
  readonly one: string; // `saved_report`: the class of links to one, and `saved_report_id` in paths
  readonly path: string; // of the list: `/api/v2/saved_reports`
  readonly at?: (thing: ThingOf<F>) => string; // path of one, below another thing; absent: below `path`
  readonly storing: Storing;
  readonly roles: readonly Role[]; // who reads them
  readonly extension?: false; // they are in docs/interface.md
  readonly fields: F;
  readonly orders?: Readonly<Record<string, (collection: Collection) => readonly Item[]>>; // of the list, by `sort_field`
  readonly links?: Readonly<Record<string, Link>>;
  readonly reads?: (site: string) => readonly Partition[]; // other collections that are shown or checked
  readonly isFor?: (user: User, thing: ThingOf<F>) => boolean; // who finds a thing; absent: all with these roles
  readonly writes?: Writes<F>;
}

/** What a table of fields says of a thing, wherever that lies. */
export interface Form<F extends FieldTable> {
  readonly fields: F;
  /** The thing of an item; a field that is absent or null has its usual value. Throws if the item is no such thing. */
  readonly parse: (item: StoredFields) => StoredOf<F>;
  readonly read: (record: JsonFields) => RecordFieldsOf<F>; // of an import; throws `Rejection`
  readonly body: BodyOf<F>; // to create one
  readonly update: UpdateOf<F>;
  readonly required: readonly (keyof BodyOf<F> & string)[]; // to create one
  readonly shapes: () => Readonly<Record<string, z.ZodType>>; // of what a reply shows
  /** What a reply shows of a thing; a value may be a promise. `shown` is what its fields are shown with. */
  readonly shown: (thing: StoredFields, shown?: object) => Readonly<Record<string, unknown>>;
}

/** A kind of things, and all that follows from its fields. */
export interface Resource<F extends FieldTable> extends ResourceDeclaration<F>, Form<F> {
  readonly fields: F;
  readonly parse: (item: StoredFields) => ThingOf<F>;
  readonly shape: () => z.ZodType; // of a reply
  readonly show: (item: Item, collection: Collection, context: Context) => Promise<unknown>;
}

/** What a table of fields says. The casts let each have typed fields, as its table says. */
export function formOf<const F extends FieldTable>(fields: F): Form<F> {
  const each = <T>(partOf: (field: ResourceField, name: string) => T | undefined): Readonly<Record<string, T>> =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) => {
        const part = partOf(field, name);
        return part === undefined ? [] : [[name, part]];
      }),
    );
  const body = each((field) => field.body) as BodyOf<F>;
  // One schema for all: 20,000 articles are read in 150 ms; with one a field in 400.
  const stored = z.object(each(({ stored: own, usual }) => (usual === undefined ? own : own?.nullish())));
  const usuals = Object.entries(each(({ usual }) => usual));
  return {
    fields,
    parse: memoize((item: StoredFields) => {
      const values: Record<string, unknown> = stored.parse(item);
      for (const [name, usual] of usuals) if (item[name] == null) values[name] = usualOf(usual, item);
      return values as StoredOf<F>;
    }, new WeakMap()),
    read: recordReader(fields),
    body,
    update: each(({ body: sent, update = sent }) => update ?? undefined) as UpdateOf<F>,
    required: keysOf<keyof BodyOf<F> & string>(body).filter((name) => fields[name]?.required),
    shapes: () => each(({ shown }) => shown?.()),
    shown: (thing, shownWith) =>
      each((field, name) => field.shown && (field.show ? field.show(thing[name], shownWith) : thing[name])),
  };
}

/** Declares a kind of things. */
export function resource<const F extends FieldTable>(declaration: ResourceDeclaration<F>): Resource<F> {
  const { fields, one, path, links = {} } = declaration;
  const form = formOf(fields);
  const refs = Object.entries<ResourceField>(fields).flatMap(([name, { links: linked }]) =>
    linked === undefined ? [] : [{ name, linked }],
  );
  const parse = memoize((item: StoredFields) => ({ id: Number(item.id), ...form.parse(item) }), new WeakMap());
  return {
    ...declaration,
    ...form,
    parse,
    shape: () =>
      z.object({
        id: idShape(declaration.storing.leastId),
        ...form.shapes(),
        _links: z.object({
          self: linkShape(one),
          ...Object.fromEntries(Object.entries(links).map(([name, { shape }]) => [name, shape()])),
          ...Object.fromEntries(refs.map(({ name, linked }) => [name, linkedShape(linked.one)])),
        }),
      }),
    show: async (item, collection, context) => {
      const id = Number(item.id);
      const own = parse(item);
      const thing: Readonly<Record<string, unknown>> = own;
      const href = declaration.at?.(own) ?? `${path}/${id}`;
      const shown: Record<string, unknown> = { id };
      for (const [name, value] of Object.entries(form.shown(thing, { id, thing, collection, context })))
        shown[name] = await value;
      const _links: Record<string, unknown> = { self: { href, class: one } };
      for (const [name, link] of Object.entries(links)) _links[name] = await link.show({ id, href, context });
      for (const { name, linked } of refs)
        _links[name] = linkTo(linked, thing[name], await context.open(linked.storing.partition(context.site.name)));
      return { ...shown, _links };
    },
  };
}

/** Reads the fields of a record. Those that it needs come first; one that deletes its thing needs none. */
function recordReader<F extends FieldTable>(fields: F): Form<F>['read'] {
  const readers = Object.entries<ResourceField>(fields)
    .flatMap(([name, { record, required: isNeeded = false }]) => (record ? [{ name, record, isNeeded }] : []))
    .sort((a, b) => Number(b.isNeeded) - Number(a.isNeeded));
  return (raw) => {
    const read: Record<string, unknown> = {};
    for (const { name, record, isNeeded } of readers) {
      const mayLack = !isNeeded || (raw.deleted === true && raw[name] === undefined);
      const value = (mayLack ? optional : required)(raw, name, record);
      if (value !== undefined) read[name] = value;
    }
    return read as RecordFieldsOf<F>;
  };
}

/** The usual value of a field in an item without it. */
export const usualOf = (usual: ResourceField['usual'], item: StoredFields): unknown =>
  typeof usual === 'function' ? usual(item) : usual;
