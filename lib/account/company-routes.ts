import * as z from 'zod';
import { recordName } from '../access/records.ts';
import { R_READ } from '../access/roles.ts';
import { wordsOf } from '../access/words.ts';
import type { Faults } from '../errors.ts';
import { show } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import { pageShape } from '../http/shapes.ts';
import { listThings, routesOf, sortQuery } from '../resource/routes.ts';
import type { Item } from '../store/table.ts';
import { COMPANIES, companyFields } from './company.ts';
import { CUSTOM_FIELDS } from './custom-field.ts';

const PATH = `${COMPANIES.path}/search`;
const A_SEARCH = 'words, or conditions joined by AND: field:value, created_at:[from TO to] and updated_at:[from TO to]';
const RANGE = /^(created_at|updated_at):\[\s*(\S+)\s+TO\s+(\S+?)\s*\]$/i;
const EXACTLY = /^([^\s:"]+):(?:"([^"]*)"|([^[{\s].*))$/;

type Matcher = (item: Item) => boolean;

/** What a condition asks for; undefined if the text is none. `fields` are the custom fields of companies. */
function conditionOf(text: string, fields: ReadonlyMap<string, unknown>): Matcher | undefined {
  const [, field, quoted, bare] = EXACTLY.exec(text.trim()) ?? [];
  if (field === undefined) return rangeOf(text);
  return fields.has(field) ? (item) => COMPANIES.parse(item).custom_fields[field] === (quoted ?? bare) : undefined;
}

/** What a range of times asks for, in parentheses or not; undefined if the text is none. */
function rangeOf(text: string): Matcher | undefined {
  const [, field, from = '', to = ''] = RANGE.exec(text.replaceAll(/[()]/g, ' ').trim()) ?? [];
  const [first, last] = [boundOf(from, -Infinity), boundOf(to, Infinity)];
  if (field === undefined || first === undefined || last === undefined) return undefined;
  return (item) => {
    const { created_at, updated_at } = COMPANIES.parse(item);
    const time = field.toLowerCase() === 'created_at' ? created_at : updated_at;
    const second = time === null ? Number.NaN : Math.floor(time / 1000);
    return second >= first && second <= last;
  };
}

/** A bound in seconds since 1970, of such seconds or an ISO 8601 time; `*` is open. */
function boundOf(text: string, open: number): number | undefined {
  if (text === '*') return open;
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const isTime = z.iso.datetime({ offset: true }).safeParse(text).success || z.iso.date().safeParse(text).success;
  return isTime ? Math.floor(Date.parse(text) / 1000) : undefined;
}

/**
 * What companies are searched by: conditions joined by `AND`, each one custom field exactly (`field:value`) or a range of
 * times; else every word of the text. Adds a fault to conditions that cannot be read: no page would be a migration of
 * nothing.
 */
function matcher(text: string, fields: ReadonlyMap<string, unknown>, faults: Faults): Matcher {
  const parts = text.split(/\bAND\b/);
  if (parts.some((part) => /^[\s(]*[^\s:"]+:/.test(part))) {
    const conditions = parts.map((part) => conditionOf(part, fields));
    if (conditions.includes(undefined)) faults.explain('invalid', ['q'], { sent: text, takes: A_SEARCH });
    return (item) => conditions.every((holds) => holds?.(item));
  }
  const wanted = [...new Set(wordsOf(text))];
  return (item) => {
    const { domains, custom_fields } = COMPANIES.parse(item);
    const words = wordsOf([recordName(item), ...domains, ...Object.values(custom_fields)].join('\n'));
    return wanted.every((prefix) => words.some((word) => word.startsWith(prefix)));
  };
}

/** Companies: read, searched, created and changed. */
export const companyRoutes: readonly Route[] = [
  route({
    name: 'searchCompanies',
    summary: 'List the companies in which every word of a text begins a word',
    method: 'GET',
    path: PATH,
    roles: R_READ,
    list: true,
    extension: true,
    reads: (site) => [COMPANIES.storing.partition(site), CUSTOM_FIELDS.storing.partition(site)],
    lists: ['ids'],
    query: {
      ...sortQuery,
      q: z.string().meta({
        description:
          'Words; or `field:value` for one custom field exactly and `updated_at:[1467331200 TO *]` for times, joined by `AND`',
      }),
    },
    reply: () => pageShape(COMPANIES.shape()),
    handle: async (call) => {
      const matches = matcher(call.query.q ?? '', await companyFields(call.context), call.faults);
      return listThings(call, COMPANIES, PATH, (companies) => companies.filter(matches));
    },
  }),
  route({
    name: 'showCompanyEnhancements',
    summary: 'Say that companies are not enhanced by others’ data',
    method: 'GET',
    path: `${COMPANIES.path}/enhancements_enabled`,
    roles: R_READ,
    extension: true,
    reads: () => [],
    reply: () => z.object({ enabled: z.literal(false) }),
    handle: () => show({ enabled: false }),
  }),
  ...routesOf(COMPANIES),
];
