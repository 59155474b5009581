import type { Context } from '../context.ts';
import type { Faults } from '../errors.ts';
import type { Values } from '../http/route.ts';
import { Rejection } from '../json-readers.ts';
import type { Collection } from '../store/collection.ts';
import { keys } from '../store/keys.ts';
import { nextId } from '../store/next-id.ts';
import type { Item } from '../store/table.ts';
import type { BodyOf, CheckedWith, FieldTable, Reader, ResourceField, ThingOf } from './field.ts';
import type { Linked } from './link.ts';
import { type Resource, usualOf } from './resource.ts';

/** What somebody asks for: a thing made or changed by the fields that are sent. */
interface Wish<F extends FieldTable> {
  readonly context: Context;
  readonly collection: Collection;
  readonly before: Item | undefined; // undefined: it is created
  readonly sent: Values<BodyOf<F>>;
  readonly faults: Faults;
}

/** The item of a thing after a write; adds faults: of single fields first, then of the resource's own rule. */
export async function planOf<F extends FieldTable>(
  { fields, storing, parse, writes }: Resource<F>,
  { context, collection, before, sent, faults }: Wish<F>,
): Promise<Item> {
  const { now, site, open } = context;
  const thing = before && parse(before);
  const values: Record<string, unknown> = {};
  const all: Readonly<Record<string, ResourceField>> = fields;
  for (const [name, value] of Object.entries<unknown>(sent)) {
    const field = all[name];
    if (field === undefined || value === undefined) continue;
    if (field.stored) values[name] = field.read && value !== null ? readInto(faults, name, value, field.read) : value;
    const checked = { name, context, before: thing, faults };
    if (field.links) await checkExists(field.links, value, checked);
    await field.check?.(value, checked);
  }
  const after = { ...thing, ...values } as Partial<ThingOf<F>>;
  Object.assign(values, await writes?.rule?.({ context, collection, before: thing, after, sent, faults }));
  const attributes = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, encoded(all[name], value)]),
  );
  if (before !== undefined) return { ...before, ...attributes };
  const id = storing.isRecord ? nextId(collection) : (await open(keys.ids(site.name))).version + 1;
  const key = { pk: collection.pk, sk: storing.member(id), id };
  const usual = storing.isRecord ? { deleted: false } : usualAttributes(all, key);
  const made = storing.isRecord || 'created_at' in all ? { created_at: now } : {};
  return { ...key, ...usual, ...attributes, ...made, updated_at: now };
}

/** Adds a fault if a field names a thing that there is not. */
async function checkExists(
  { one, storing }: Linked,
  id: unknown,
  { name, context, faults }: CheckedWith,
): Promise<void> {
  if (typeof id !== 'number') return;
  const collection = await context.open(storing.partition(context.site.name));
  if (storing.find(collection, id) === undefined)
    faults.explain('not_found', [name], { message: `There is no ${one.replaceAll('_', ' ')} ${id}.` });
}

const encoded = (field: ResourceField | undefined, value: unknown): unknown =>
  value === null || field?.encode === undefined ? value : field.encode(value);

const usualAttributes = (fields: FieldTable, key: Item): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.stored === undefined || field.usual === undefined
        ? []
        : [[name, encoded(field, usualOf(field.usual, key))] as const],
    ),
  );

/**
 * Reads a field of a request as a field of a record is read, so that both take the same; adds a fault with the reader's
 * sentence.
 */
function readInto(faults: Faults, field: string, value: unknown, read: Reader): unknown {
  try {
    return read(value, field);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    faults.explain('invalid', [field], { message: `${error.message}.` });
    return undefined;
  }
}
