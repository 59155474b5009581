import * as z from 'zod';
import { present } from '../access/records.ts';
import { R_READ, R_WRITE } from '../access/roles.ts';
import type { Context } from '../context.ts';
import type { Faults } from '../errors.ts';
import { namesField } from '../http/fields.ts';
import { A_BOOLEAN } from '../http/takes.ts';
import { isJsonObject } from '../json.ts';
import { listOf, Rejection, name as readName, text as readText, shown } from '../json-readers.ts';
import { nameText, recordTimes } from '../resource/field.ts';
import { resource } from '../resource/resource.ts';
import { recordsOf } from '../resource/storing.ts';
import { CUSTOM_FIELDS, type StoredCustomField } from './custom-field.ts';

const MOST_DOMAINS = 100;
const LONGEST_VALUE = 255; // code points

const DOMAINS = {
  stored: z.array(z.string()),
  usual: () => [],
  body: namesField(MOST_DOMAINS),
  record: listOf(readName),
  shown: () => z.array(z.string()),
};
const VALUES_BY_NAME = {
  stored: z.record(z.string(), z.string()),
  usual: () => ({}),
  record: valuesByName,
  body: z.record(z.string(), z.unknown(), 'invalid'),
  shown: () => z.record(z.string(), z.string()),
};

/** Companies of customers. */
export const COMPANIES = resource({
  one: 'company',
  path: '/api/v2/companies',
  storing: recordsOf('company'),
  roles: R_READ,
  reads: (site) => [CUSTOM_FIELDS.storing.partition(site)],
  fields: {
    name: nameText({ required: true }),
    domains: DOMAINS,
    ...recordTimes(),
    custom_fields: VALUES_BY_NAME,
  },
  writes: {
    limit: 'companies',
    roles: R_WRITE,
    deletes: false,
    examples: [{ name: 'Acme', domains: ['acme.example'] }, { name: 'Acme Corporation' }],
    rule: async ({ context, before, sent: { custom_fields: sent }, faults }) =>
      sent === undefined
        ? {}
        : { custom_fields: await mergedFields(context, before?.custom_fields ?? {}, sent, faults) },
  },
});

/** Values of custom fields in a record, by their names; numbers and booleans become texts. */
function valuesByName(value: unknown, field: string): Readonly<Record<string, string>> {
  if (!isJsonObject(value)) throw new Rejection(`${field}: ${shown(value)} is not an object`);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      readText()(typeof one === 'number' || typeof one === 'boolean' ? String(one) : one, `${field}.${key}`),
    ]),
  );
}

/** A value as it is shown, by the kind of its field; undefined if it does not fit. */
function fittingValue(
  sent: unknown,
  { data_type, values }: Pick<StoredCustomField, 'data_type' | 'values'>,
): string | undefined {
  if (typeof sent !== 'string' && typeof sent !== 'number' && typeof sent !== 'boolean') return undefined;
  const text = String(sent);
  const fits = {
    string: [...text].length <= LONGEST_VALUE,
    boolean: text === 'true' || text === 'false',
    integer: /^-?\d{1,15}$/.test(text),
    date: z.iso.date().safeParse(text).success,
    list: values.includes(text),
  };
  return fits[data_type] ? text : undefined;
}

const ofCompanies = (fields: ReadonlyMap<string, StoredCustomField>) => ({
  noun: 'custom field of companies',
  allowed: [...fields.keys()],
});

/** What a field takes; null removes its value. */
const takenBy = ({ data_type, values }: Pick<StoredCustomField, 'data_type' | 'values'>) =>
  data_type === 'list' ? { noun: 'choice of the field', allowed: values } : { takes: `${TAKEN[data_type]}, or null` };

const TAKEN = {
  string: `a text of at most ${LONGEST_VALUE} characters`,
  boolean: A_BOOLEAN,
  integer: 'a whole number of at most 15 digits',
  date: 'a date such as 2026-01-31',
} as const;

/** The custom fields that companies have, by name. */
export async function companyFields({ site, open }: Pick<Context, 'site' | 'open'>) {
  const all = present(await open(CUSTOM_FIELDS.storing.partition(site.name))).map(CUSTOM_FIELDS.parse);
  return new Map(all.filter(({ object }) => object === 'company').map((field) => [field.name, field]));
}

/** The custom fields of a company after a write: null removes one. Adds faults. */
async function mergedFields(
  context: Pick<Context, 'site' | 'open'>,
  before: Readonly<Record<string, string>>,
  sent: Readonly<Record<string, unknown>>,
  faults: Faults,
): Promise<Record<string, string>> {
  const fields = await companyFields(context);
  const merged = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(sent)) {
    const field = fields.get(name);
    const text = field && value !== null ? fittingValue(value, field) : undefined;
    if (field && value === null) merged.delete(name);
    else if (field === undefined)
      faults.explain('invalid', ['custom_fields', name], { sent: name, ...ofCompanies(fields) });
    else if (text === undefined) faults.explain('invalid', ['custom_fields', name], { sent: value, ...takenBy(field) });
    else merged.set(name, text);
  }
  return Object.fromEntries(merged);
}
