import { hash } from 'node:crypto';
import * as z from 'zod';
import { type CustomField, customFields, type KnownRecord, references } from '../access/reference.ts';
import type { Site } from '../access/sites.ts';
import { oneFault } from '../errors.ts';
import { fitsReply } from '../http/reply.ts';
import { storedMacros } from '../macros/macro.ts';
import type { Collection } from '../store/collection.ts';
import type { ReferenceKind } from '../store/keys.ts';

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
  });

export type Meta = z.infer<ReturnType<typeof metaShape>>;

/** The kinds of reference records that meta shows. */
export const META_KINDS = [
  'channel',
  'label',
  'agent',
  'group',
  'article',
  'custom_field',
] as const satisfies readonly ReferenceKind[];

export type MetaKind = (typeof META_KINDS)[number];

/** The meta object of a site, from its macros and reference records. */
export function metaOf(site: Site, macros: Collection, records: Readonly<Record<MetaKind, Collection>>): Meta {
  const members = (kind: MetaKind): KnownRecord[] => [...references(records[kind]).values()];
  const fields = customFields(records.custom_field);
  return {
    channels: keyed(members('channel'), ({ name }) => ({ name })),
    macros: keyed(macroReferences(macros), showKept),
    labels: keyed(members('label'), showKept),
    agents: keyed(members('agent'), showKept),
    groups: keyed(members('group'), showKept),
    articles: keyed(members('article'), showKept),
    custom_fields: Object.fromEntries(fields.filter(({ object }) => object === 'case').flatMap(fieldAndValues)),
    customer_custom_fields: Object.fromEntries(fields.filter(({ object }) => object === 'customer').flatMap(values)),
    case_rating_type: { name: site.rating },
  };
}

/** The JSON of a meta object. Throws the 422 `too_large` if it does not fit a reply. */
export function metaJson(meta: Meta): string {
  const json = JSON.stringify(meta);
  if (fitsReply(json)) return json;
  const { case_rating_type, ...tables } = meta;
  const count = Object.values(tables).reduce((sum, table) => sum + Object.keys(table).length, 0);
  const where = '`GET /api/v2/labels`, `GET /api/v2/custom_fields` and the other lists show them in pages.';
  throw oneFault('too_large', ['base'], `The ${count} names of the site do not fit a reply: ${where}`);
}

/** Every macro that reports may show; a macro known only from history has its id as its name. */
export function macroReferences(macros: Collection): KnownRecord[] {
  return storedMacros(macros).map((macro) => ({
    id: macro.id,
    name: macro.state === 'mentioned' ? String(macro.id) : macro.name,
    deleted: macro.state === 'deleted',
  }));
}

/** The key of a custom field's value: `<field_id>:<first 16 hex digits of its SHA-256>` (docs/rules.md 12). */
export const valueKey = (field: number, value: string): string =>
  `${field}:${hash('sha256', value, 'hex').slice(0, 16)}`;

const showKept = ({ name, deleted }: KnownRecord) => ({ name, deleted });

const keyed = <T>(all: readonly KnownRecord[], show: (reference: KnownRecord) => T): Record<string, T> =>
  Object.fromEntries(all.map((reference) => [String(reference.id), show(reference)]));

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
