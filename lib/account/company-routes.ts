import * as z from 'zod';
import { present, recordName } from '../access/records.ts';
import { R_READ, R_WRITE } from '../access/roles.ts';
import { wordsOf } from '../access/words.ts';
import type { Context } from '../context.ts';
import type { Faults } from '../errors.ts';
import { directionField, nameField, namesField, wordField } from '../http/fields.ts';
import { listReply } from '../http/page.ts';
import { show } from '../http/reply.ts';
import { type RecordResource, readsOfResource, recordsOf, sortedByKey, writesOfResource } from '../http/resource.ts';
import { type Route, route } from '../http/route.ts';
import { idShape, linkShape, pageShape, timestampShape } from '../http/shapes.ts';
import { A_BOOLEAN } from '../http/takes.ts';
import { keys } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import { timestampOrNull } from '../text.ts';
import { customFieldOf } from './custom-field-routes.ts';

const PATH = '/api/v2/companies';
const MOST_DOMAINS = 100;
const LONGEST_VALUE = 255; // code points

const companyItem = z.object({
  id: z.int(),
  domains: z.array(z.string()).nullish(),
  custom_fields: z.record(z.string(), z.string()).nullish(),
  created_at: z.number().nullish(),
  updated_at: z.number().nullish(),
});

const COMPANIES: RecordResource = {
  ...recordsOf('company'),
  path: PATH,
  param: 'company_id',
  reads: (site) => [keys.reference(site, 'custom_field')],
  shape: () =>
    z.object({
      id: idShape(),
      name: z.string(),
      domains: z.array(z.string()),
      created_at: timestampShape().nullable(),
      updated_at: timestampShape().nullable(),
      custom_fields: z.record(z.string(), z.string()),
      _links: z.object({ self: linkShape('company') }),
    }),
  show: (item) => {
    const { id, domains, custom_fields, created_at, updated_at } = companyItem.parse(item);
    return {
      id,
      name: recordName(item),
      domains: domains ?? [],
      created_at: timestampOrNull(created_at ?? updated_at),
      updated_at: timestampOrNull(updated_at),
      custom_fields: custom_fields ?? {},
      _links: { self: { href: `${PATH}/${id}`, class: 'company' } },
    };
  },
};

const fields = {
  name: nameField(),
  domains: namesField(MOST_DOMAINS),
  custom_fields: z.record(z.string(), z.unknown(), 'invalid'),
};

type CustomFieldKind = ReturnType<typeof customFieldOf>;

/** A value as it is shown, by the kind of its field; undefined if it does not fit. */
function fittingValue(
  sent: unknown,
  { dataType, choices }: Pick<CustomFieldKind, 'dataType' | 'choices'>,
): string | undefined {
  if (typeof sent !== 'string' && typeof sent !== 'number' && typeof sent !== 'boolean') return undefined;
  const text = String(sent);
  const fits = {
    string: [...text].length <= LONGEST_VALUE,
    boolean: text === 'true' || text === 'false',
    integer: /^-?\d{1,15}$/.test(text),
    date: z.iso.date().safeParse(text).success,
    list: choices.includes(text),
  };
  return fits[dataType] ? text : undefined;
}

const ofCompanies = (known: ReadonlyMap<string, CustomFieldKind>) => ({
  noun: 'custom field of companies',
  allowed: [...known.keys()],
});

/** What a field takes; null removes its value. */
const takenBy = ({ dataType, choices }: Pick<CustomFieldKind, 'dataType' | 'choices'>) =>
  dataType === 'list' ? { noun: 'choice of the field', allowed: choices } : { takes: `${TAKEN[dataType]}, or null` };

const TAKEN = {
  string: `a text of at most ${LONGEST_VALUE} characters`,
  boolean: A_BOOLEAN,
  integer: 'a whole number of at most 15 digits',
  date: 'a date such as 2026-01-31',
} as const;

/** The custom fields of a company after a write: null removes one. Adds faults. */
async function mergedFields(
  { site, open }: Pick<Context, 'site' | 'open'>,
  before: Readonly<Record<string, string>>,
  sent: Readonly<Record<string, unknown>>,
  faults: Faults,
): Promise<Record<string, string>> {
  const all = present(await open(keys.reference(site.name, 'custom_field'))).map(customFieldOf);
  const known = new Map(all.filter(({ object }) => object === 'company').map((field) => [field.name, field]));
  const merged = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(sent)) {
    const field = known.get(name);
    const text = field && value !== null ? fittingValue(value, field) : undefined;
    if (field && value === null) merged.delete(name);
    else if (field === undefined)
      faults.explain('invalid', ['custom_fields', name], { sent: name, ...ofCompanies(known) });
    else if (text === undefined) faults.explain('invalid', ['custom_fields', name], { sent: value, ...takenBy(field) });
    else merged.set(name, text);
  }
  return Object.fromEntries(merged);
}

const SORT_FIELDS = ['name', 'created_at', 'updated_at'] as const;

/** What a company is searched by: every word of the text, or exactly one custom field with `field:value`. */
function matcher(text: string): (item: Item) => boolean {
  const [, field, quoted, bare] = /^\s*([^\s:"]+):(?:"([^"]*)"|(.*\S))\s*$/.exec(text) ?? [];
  if (field !== undefined) return (item) => companyItem.parse(item).custom_fields?.[field] === (quoted ?? bare);
  const wanted = [...new Set(wordsOf(text))];
  return (item) => {
    const { domains, custom_fields } = companyItem.parse(item);
    const words = wordsOf([recordName(item), ...(domains ?? []), ...Object.values(custom_fields ?? {})].join('\n'));
    return wanted.every((prefix) => words.some((word) => word.startsWith(prefix)));
  };
}

/** Companies: read, searched, created and changed. */
export const companyRoutes: readonly Route[] = [
  route({
    name: 'searchCompanies',
    summary: 'List the companies in which every word of a text begins a word',
    method: 'GET',
    path: `${PATH}/search`,
    roles: R_READ,
    list: true,
    extension: true,
    reads: (site) => [keys.reference(site, 'company')],
    query: {
      q: z.string().meta({ description: 'Words, or `field:value` for one custom field exactly' }),
      sort_field: wordField(SORT_FIELDS),
      sort_direction: directionField(),
    },
    reply: () => pageShape(COMPANIES.shape()),
    handle: (call) => {
      const { context, query } = call;
      const { q = '', sort_field: field, sort_direction } = query;
      const partition = keys.reference(context.site.name, 'company');
      return listReply(call, {
        path: `${PATH}/search`,
        seeds: [context.version(partition)],
        members: async () => {
          const found = present(await context.open(partition)).filter(matcher(q));
          const keyOf = (item: Item) =>
            field === 'name' ? recordName(item).toLowerCase() : Number(item[field ?? 'id']) || 0;
          return sortedByKey(found, keyOf, sort_direction);
        },
        show: async (item: Item) => COMPANIES.show(item, await context.open(partition), context),
      });
    },
  }),
  route({
    name: 'showCompanyEnhancements',
    summary: 'Say that companies are not enhanced by others’ data',
    method: 'GET',
    path: `${PATH}/enhancements_enabled`,
    roles: R_READ,
    extension: true,
    reads: () => [],
    reply: () => z.object({ enabled: z.literal(false) }),
    handle: () => show({ enabled: false }),
  }),
  ...readsOfResource(COMPANIES),
  ...writesOfResource(COMPANIES, {
    limit: 'companies',
    roles: R_WRITE,
    fields,
    required: ['name'],
    examples: [{ name: 'Acme', domains: ['acme.example'] }, { name: 'Acme Corporation' }],
    deletes: false,
    plan: async ({ context, before, fields: { name, domains, custom_fields: sent }, faults }) => {
      const known = before && companyItem.parse(before);
      return {
        ...(name !== undefined && { name }),
        ...(domains !== undefined && { domains }),
        ...(sent !== undefined && {
          custom_fields: await mergedFields(context, known?.custom_fields ?? {}, sent, faults),
        }),
      };
    },
  }),
];
