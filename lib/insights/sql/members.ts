import { oneFault } from '../../errors.ts';
import type { CustomValue, FactKind } from '../../history/cases/case-row.ts';
import { ATTRIBUTES, type ListAttribute } from '../../history/segments/segment-columns.ts';
import { CASE_STATUSES } from '../../vocabulary.ts';
import { spansBetween } from '../../zone.ts';
import { ATTRIBUTE_COLUMNS, FACT_COLUMNS, LIST_COLUMNS } from '../definitions/columns.ts';
import { type Dictionary, type DimensionName, dimensionNamed, type InstantPart } from '../definitions/dimensions.ts';
import { customMatches, memberMatches, memberName } from '../definitions/filter-match.ts';
import { FILTER_OBJECTS, type FilterCondition, type FilterObject, type Filters } from '../definitions/filters.ts';
import type { Plan } from '../plan.ts';
import type { Member, Reference } from '../reference.ts';
import { castText, quotedText, type Words } from './dialect.ts';
import { levelSql } from './runs.ts';

/** What occurs in a history: filters by texts match it by name, since no engine compares names as the service does. */
export interface HistoryMembers {
  readonly ids: (dictionary: Exclude<Dictionary, 'customValues' | InstantPart>) => Iterable<number>;
  readonly customValues: Iterable<CustomValue>;
}

const anyOf = (value: string, members: readonly (string | number)[]): string =>
  members.length === 0 ? '1 = 0' : `coalesce(${value} IN (${members.join(', ')}), false)`;

const either = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '1 = 0' : conditions.map((one) => `(${one})`).join(' OR ');

/** The condition on the case of a row that a report's filters are; undefined without filters. */
export function filterSql(
  filters: Filters | null,
  reference: Reference,
  known: HistoryMembers,
  words: Words,
): string | undefined {
  if (filters === null || filters.length === 0) return undefined;
  const conditionSql = (condition: FilterCondition): string => {
    const matched = matchedSql(condition, reference, known, words);
    return condition.action === 'Include' ? `(${matched})` : `NOT (${matched})`;
  };
  return either(filters.map((group) => (group.length === 0 ? '1 = 1' : group.map(conditionSql).join(' AND '))));
}

/** The columns of a case that filters read. */
export const filterColumns = (filters: Filters | null): string[] =>
  (filters ?? []).flat().map(({ object }) => {
    const { attribute, list }: FilterObject = FILTER_OBJECTS[object];
    return list === undefined ? ATTRIBUTE_COLUMNS[attribute ?? 'channel'] : LIST_COLUMNS[list].column;
  });

function matchedSql(condition: FilterCondition, reference: Reference, known: HistoryMembers, words: Words): string {
  const { attribute, list }: FilterObject = FILTER_OBJECTS[condition.object];
  const matches = (member: Member): boolean =>
    memberMatches(condition, member, () => memberName(reference, condition.object, member));
  if (attribute === 'status') return anyOf(ATTRIBUTE_COLUMNS.status, CASE_STATUSES.filter(matches).map(quotedText));
  if (list === 'customValues') return customSql(condition, reference, known, words);
  const dictionary = list ?? ATTRIBUTES[attribute ?? 'channel'];
  const asked = condition.ids.map(({ id }) => Number(id)).filter(Number.isSafeInteger);
  const wanted = [...new Set([...asked, ...known.ids(dictionary)])].filter(matches);
  if (list === undefined) return anyOf(ATTRIBUTE_COLUMNS[attribute ?? 'channel'], wanted);
  return wanted.length === 0 ? '1 = 0' : words.overlap(LIST_COLUMNS[list].members, `ARRAY[${wanted.join(', ')}]`);
}

const MOST_VALUES = 10_000;
const TOO_MANY_VALUES = `A filter matches more than ${MOST_VALUES} values of custom fields. It would fit with a longer text.`;

/** A listed field is compared by its values, another by whether the case has any. */
function customSql(condition: FilterCondition, reference: Reference, known: HistoryMembers, words: Words): string {
  const wanted = new Map<number, Set<string>>();
  let count = 0;
  for (const each of known.customValues) {
    if (!customMatches(condition, reference, each)) continue;
    const values = wanted.get(each.field) ?? new Set();
    count += reference.customFields.get(each.field)?.listed === true && !values.has(each.value) ? 1 : 0;
    if (count > MOST_VALUES) throw oneFault('too_large', ['filters'], TOO_MANY_VALUES);
    wanted.set(each.field, values.add(each.value));
  }
  return either(
    [...wanted].map(([field, values]) => {
      const value = words.valueAt(LIST_COLUMNS.customValues.column, String(field));
      const isListed = reference.customFields.get(field)?.listed === true;
      return isListed ? anyOf(value, [...values].map(quotedText)) : `${value} IS NOT NULL`;
    }),
  );
}

/** A dimension's member of a row: an expression, after the members of a list, if it has one, were laid side by side. */
export interface MemberSql {
  readonly list: ListAttribute | undefined;
  /** The member as a text; null for none. `one` is the member of the list. */
  readonly member: (one: string) => string;
  readonly columns: readonly string[]; // of the case that it reads
}

/** The member that rows of a kind have in a dimension. */
export function memberSql(
  name: DimensionName,
  kind: FactKind,
  { request, range, reference }: Plan,
  words: Words,
): MemberSql {
  const { field, source } = dimensionNamed(name);
  const from = source(kind);
  const plain = (sql: string, ...columns: string[]): MemberSql => ({ list: undefined, member: () => sql, columns });
  switch (from.of) {
    case 'fact':
      return plain(castText(FACT_COLUMNS[from.column]));
    case 'instant':
      return plain(castText(partSql(from.part, request.time.zone, range, words)));
    case 'case':
      return plain(castText(ATTRIBUTE_COLUMNS[from.attribute]), ATTRIBUTE_COLUMNS[from.attribute]);
    case 'list': {
      const { column } = LIST_COLUMNS[from.list];
      if (from.list !== 'customValues') return { list: from.list, member: castText, columns: [column] };
      const listed = [...reference.customFields].flatMap(([id, { listed }]) => (listed ? [id] : []));
      const valueIn = (one: string): string => words.valueAt(column, one);
      const member = (one: string): string =>
        `CASE WHEN ${anyOf(one, listed)} THEN ${castText(one)} || ':' || ${valueIn(one)} ELSE ${castText(one)} END`;
      if (field === undefined) return { list: from.list, member, columns: [column] };
      return plain(`CASE WHEN ${valueIn(String(field))} IS NOT NULL THEN ${member(String(field))} END`, column);
    }
  }
}

const HOUR = 3600; // s
const DAY = 86_400;
const AHEAD = 7 * DAY; // so that nothing is divided that is below 0
const MONDAY = 3; // 1970-01-01 was a Thursday

/** The hour or weekday of `t` on the clocks of a zone. */
function partSql(part: InstantPart, zone: Plan['request']['time']['zone'], { min, max }: Plan['range'], words: Words) {
  const spans = spansBetween(zone, min, max).map(({ start, offset }) => ({ start, value: offset + AHEAD }));
  const local = `t + ${levelSql(spans.length === 0 ? [{ start: min, value: AHEAD }] : spans, 't')}`;
  if (part === 'hour') return `${words.whole(local, HOUR)} % 24`;
  return `1 + (${words.whole(`${local} + ${MONDAY * DAY}`, DAY)}) % 7`;
}

/**
 * The condition that a member is one of those that a report shows; undefined for all of them. A value of a custom field
 * is told by its hash, which the service knows: here its field is enough.
 */
export function wantedSql(
  name: DimensionName,
  values: readonly Member[] | null,
  member: string,
  one: string,
): string | undefined {
  if (values === null || values.length === 0) return undefined;
  const { members, field } = dimensionNamed(name);
  if (members === 'statuses')
    return anyOf(member, CASE_STATUSES.filter((status) => values.includes(status)).map(quotedText));
  const ids = values.map((value) => (members === 'customValues' ? String(value).split(':')[0] : String(value)));
  const numbers = [
    ...new Set(ids.flatMap((id = '') => (String(Number(id)) === id && Number.isSafeInteger(Number(id)) ? [id] : []))),
  ];
  if (members !== 'customValues') return anyOf(member, numbers.map(quotedText));
  return field === undefined ? anyOf(one, numbers) : undefined;
}
