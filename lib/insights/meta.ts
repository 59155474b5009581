import { hash } from 'node:crypto';
import * as z from 'zod';
import { type CustomField, customFields, type ReferenceEntry, references } from '../access/reference.ts';
import type { Site } from '../access/site-fields.ts';
import type { Context } from '../context.ts';
import { oneFault } from '../errors.ts';
import { bytesOfEntries, REPLY_LIMIT } from '../http/reply.ts';
import { storedMacros } from '../macros/macro.ts';
import { type Collection, perVersion } from '../store/collection.ts';
import { keys, type Partition, type ReferenceKind } from '../store/keys.ts';

const named = () => z.object({ name: z.string() });
const kept = () => z.object({ name: z.string(), deleted: z.boolean() });
const byId = <T extends z.ZodType>(shape: T) => z.record(z.string(), shape);

/** The names and ids of a site that reports use. */
export const metaShape = () =>
  z.object({
    channels: byId(named()),
    macros: byId(kept()),
    labels: byId(kept()),
    agents: byId(kept()),
    groups: byId(kept()),
    articles: byId(kept()).meta({ description: 'The name is the subject of the article' }),
    custom_fields: byId(z.object({ name: z.string(), id: z.int().optional() })),
    customer_custom_fields: byId(named()),
    case_rating_type: z.object({ name: z.enum(['yes_no', 'four_star']) }),
    companies: byId(kept()).optional().meta({
      description: 'Extension; absent if the site has none, or with them the reply would be too large',
    }),
  });

export type Meta = z.infer<ReturnType<typeof metaShape>>;

/** The kinds of reference records that meta shows. */
const META_KINDS = [
  'channel',
  'label',
  'agent',
  'group',
  'article',
  'custom_field',
] as const satisfies readonly ReferenceKind[];

type MetaKind = (typeof META_KINDS)[number];

/** The reference records of meta; `company` is absent if meta leaves the companies out. */
type Records = Readonly<Record<MetaKind, Collection>> & { readonly company?: Collection | undefined };

/** An entry of a table of meta. */
type Pair<T = unknown> = readonly [key: string, shown: T];

/** The meta object of a site, from its macros and reference records. */
export function metaOf(site: Site, macros: Collection, records: Records): Meta {
  const kept = (kind: MetaKind) => Object.fromEntries(keptPairs(records[kind]));
  const fields = customFields(records.custom_field);
  return {
    channels: Object.fromEntries(namedPairs(records.channel)),
    macros: Object.fromEntries(macroPairs(macros)),
    labels: kept('label'),
    agents: kept('agent'),
    groups: kept('group'),
    articles: kept('article'),
    custom_fields: Object.fromEntries(fields.filter(({ object }) => object === 'case').flatMap(fieldAndValues)),
    customer_custom_fields: Object.fromEntries(fields.filter(({ object }) => object === 'customer').flatMap(values)),
    case_rating_type: { name: site.rating },
    ...(records.company && { companies: Object.fromEntries(keptPairs(records.company)) }),
  };
}

/** The collections that `readMeta` opens. */
export const metaPartitions = (site: string): readonly Partition[] => [
  keys.macros(site),
  ...[...META_KINDS, 'company' as const].map((kind) => keys.reference(site, kind)),
];

/** Reads the meta object of a site. Throws the 422 `too_large` if it would not fit a reply. */
export async function readMeta({ site, open }: Pick<Context, 'site' | 'open'>): Promise<Meta> {
  const records = (kind: ReferenceKind) => open(keys.reference(site.name, kind));
  const [macros, channel, label, agent, group, article, custom_field, company] = await Promise.all([
    open(keys.macros(site.name)),
    records('channel'),
    records('label'),
    records('agent'),
    records('group'),
    records('article'),
    records('custom_field'),
    records('company'),
  ]);
  const names = { channel, label, agent, group, article, custom_field };
  const room = roomInMeta(macros, names);
  const shown = company.items.size > 0 && perVersion(company, sizeOfKept).bytes <= room;
  return metaOf(site, macros, shown ? { ...names, company } : names);
}

const AROUND = 500; // bytes of a meta object without its entries, at most

/**
 * The bytes that a reply has left beside the meta object of a site, without companies. Throws the 422 `too_large` if that
 * does not fit. It is counted before it is made, once a version of each collection.
 */
export function roomInMeta(macros: Collection, records: Records): number {
  const kept = [records.label, records.agent, records.group, records.article];
  const sizes = [
    perVersion(macros, sizeOfMacros),
    perVersion(records.channel, sizeOfNamed),
    ...kept.map((collection) => perVersion(collection, sizeOfKept)),
    perVersion(records.custom_field, sizeOfFields),
  ];
  const room = REPLY_LIMIT - AROUND - sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  if (room >= 0) return room;
  const count = sizes.reduce((sum, { names }) => sum + names, 0);
  const where = '`GET /api/v2/labels`, `GET /api/v2/custom_fields` and the other lists show them in pages.';
  throw oneFault('too_large', ['base'], `The ${count} names of the site do not fit a reply: ${where}`);
}

const sizeOfMacros = (macros: Collection) => sizeOf(macros.items.size, macroPairs(macros));
const sizeOfNamed = (collection: Collection) => sizeOf(collection.items.size, namedPairs(collection));
const sizeOfKept = (collection: Collection) => sizeOf(collection.items.size, keptPairs(collection));

function sizeOfFields(collection: Collection) {
  const fields = customFields(collection);
  const names = fields.reduce((sum, field) => sum + 1 + field.values.length, 0);
  return sizeOf(names, sizedFields(fields));
}

const sizeOf = (names: number, pairs: Iterable<Pair>) => ({ names, bytes: bytesOfEntries(pairs) });

/** The entries of fields with keys of the right length: hashing thousands of values takes longer than all else. */
function* sizedFields(fields: readonly CustomField[]): Generator<Pair> {
  for (const { id, name, values } of fields) {
    yield [String(id), { name, id }];
    for (const value of values) yield [`${id}:${'0'.repeat(HASH_DIGITS)}`, { name: value }];
  }
}

/** Every macro that reports may show; a macro known only from history has its id as its name. */
export function macroReferences(macros: Collection): ReferenceEntry[] {
  return storedMacros(macros).map((macro) => ({
    id: macro.id,
    name: macro.state === 'mentioned' ? String(macro.id) : macro.name,
    deleted: macro.state === 'deleted',
  }));
}

const HASH_DIGITS = 16;

/** The key of a custom field's value: `<field_id>:<first 16 hex digits of its SHA-256>` (docs/rules.md 12). */
export const valueKey = (field: number, value: string): string =>
  `${field}:${hash('sha256', value, 'hex').slice(0, HASH_DIGITS)}`;

function* namedPairs(collection: Collection): Generator<Pair<{ name: string }>> {
  for (const { id, name } of references(collection).values()) yield [String(id), { name }];
}

function* keptPairs(collection: Collection): Generator<Pair<{ name: string; deleted: boolean }>> {
  for (const { id, name, deleted } of references(collection).values()) yield [String(id), { name, deleted }];
}

function* macroPairs(macros: Collection): Generator<Pair<{ name: string; deleted: boolean }>> {
  for (const { id, name, deleted } of macroReferences(macros)) yield [String(id), { name, deleted }];
}

/** The entry of a field, by its id, then the entries of its values; only the entry of the field itself has an `id`. */
const fieldAndValues = (field: CustomField): [string, { name: string; id?: number }][] => [
  [String(field.id), { name: field.name, id: field.id }],
  ...values(field),
];

/** The names of all custom fields and of their values, as pairs of a key of meta and a name. */
export const customFieldNames = (collection: Collection): [string, string][] =>
  customFields(collection).flatMap((field) =>
    fieldAndValues(field).map(([key, { name }]): [string, string] => [key, name]),
  );

const values = ({ id, values }: CustomField): [string, { name: string }][] =>
  values.map((value) => [valueKey(id, value), { name: value }]);
