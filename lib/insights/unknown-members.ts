import * as z from 'zod';
import { customFields } from '../access/reference.ts';
import type { Context } from '../context.ts';
import { ATTRIBUTES } from '../history/segments/segment-columns.ts';
import { type Collection, perVersion } from '../store/collection.ts';
import { keys } from '../store/keys.ts';
import { CASE_STATUSES } from '../vocabulary.ts';
import { type Dictionary, dimensionNamed, INSTANT_MEMBERS } from './definitions/dimensions.ts';
import { FILTER_OBJECTS, type FilterObject, type NamedKind } from './definitions/filters.ts';
import type { Member } from './reference.ts';
import type { ReportRequest } from './request.ts';
import { readNames } from './site-reference.ts';

const members = () => z.array(z.union([z.string(), z.int()]));

/** The members and ids of a request that the site does not have, as replies show them. */
export const unknownShape = () =>
  z
    .object({
      dimension1_values: members().optional(),
      dimension2_values: members().optional(),
      filters: z
        .array(z.object({ place: z.string(), object: z.string(), ids: members() }))
        .optional()
        .meta({ description: 'By condition: its place in the request, such as `filters.0.1`, and its unknown ids' }),
    })
    .optional()
    .meta({
      description:
        'Members and ids of the request that the site does not have: a reason why rows may be missing. Absent if there are none',
    });

export type Unknown = NonNullable<z.infer<ReturnType<typeof unknownShape>>>;

/** Finds the members and ids of a request that the site does not have: no reference record and no event has them. */
export async function findUnknown(context: Context, request: ReportRequest): Promise<Unknown | undefined> {
  const { dimension1, dimension2, dimension1_values, dimension2_values, filters } = request;
  const unknownOf = async (dimension: typeof dimension1, values: readonly Member[] | null): Promise<Member[]> => {
    if (dimension === null || values === null || values.length === 0) return [];
    const { members, field } = dimensionNamed(dimension);
    const isKnown = await knowledgeOf(context, members, field);
    return values.filter((value) => !isKnown(String(value)));
  };
  const conditions = (filters ?? []).flatMap((group, at) =>
    group.map(({ object, ids }, place) => ({ object, ids, place: `filters.${at}.${place}` })),
  );
  const [first, second, ...filtered] = await Promise.all([
    unknownOf(dimension1, dimension1_values),
    unknownOf(dimension2, dimension2_values),
    ...conditions.map(async ({ object, ids }): Promise<Member[]> => {
      if (ids.length === 0) return [];
      const { attribute, list }: FilterObject = FILTER_OBJECTS[object];
      const dictionary = list ?? (attribute && ATTRIBUTES[attribute]);
      const isKnown = dictionary ? await knowledgeOf(context, dictionary) : () => true;
      return ids.map(({ id }) => id).filter((id) => !isKnown(String(id)));
    }),
  ]);
  const places = conditions.flatMap(({ place, object }, at) => {
    const ids = filtered[at] ?? [];
    return ids.length === 0 ? [] : [{ place, object, ids }];
  });
  if (first.length + second.length + places.length === 0) return undefined;
  return {
    ...(first.length > 0 && { dimension1_values: first }),
    ...(second.length > 0 && { dimension2_values: second }),
    ...(places.length > 0 && { filters: places }),
  };
}

type IsKnown = (id: string) => boolean;

const upTo = (first: number, last: number): readonly string[] =>
  Array.from({ length: last - first + 1 }, (_, at) => String(first + at));

/** The members of dictionaries that are the same for every site. */
const FIXED: Readonly<Record<Exclude<Dictionary, NamedKind | 'customValues'>, ReadonlySet<string>>> = {
  priorities: new Set(upTo(1, 10)),
  scores: new Set(upTo(0, 4)),
  statuses: new Set(CASE_STATUSES),
  hour: new Set(INSTANT_MEMBERS.hour.map(String)),
  weekday: new Set(INSTANT_MEMBERS.weekday.map(String)),
};

/** The ids of a dictionary that is the same for every site. */
export const fixedMembers = (dictionary: keyof typeof FIXED): number[] => [...FIXED[dictionary]].map(Number);

const isFixed = (dictionary: Dictionary): dictionary is keyof typeof FIXED => Object.hasOwn(FIXED, dictionary);

/**
 * Returns a test of whether the site has an id of a dictionary; `only` limits it to one custom field. An id that only
 * events name has a reference record too.
 */
async function knowledgeOf(context: Context, dictionary: Dictionary, only?: number): Promise<IsKnown> {
  if (isFixed(dictionary)) return (id) => FIXED[dictionary].has(id);
  if (dictionary !== 'customValues') {
    const names = await readNames(context, dictionary);
    return (id) => String(Number(id)) === id && names.has(Number(id));
  }
  const fields = perVersion(await context.open(keys.reference(context.site.name, 'custom_field')), listedByField);
  return (key) => {
    const [field = '', value] = key.split(':');
    const isListed = only === undefined || String(only) === field ? fields.get(field) : undefined;
    // Cases may have values that the list of the field lacks, so every well-formed hash passes as known.
    return isListed === undefined ? false : isListed ? HASH.test(value ?? '') : value === undefined;
  };
}

const HASH = /^[0-9a-f]{16}$/;

/** Whether each custom field, by id, has a list of values. */
const listedByField = (collection: Collection): ReadonlyMap<string, boolean> =>
  new Map(customFields(collection).map(({ id, values }) => [String(id), values.length > 0]));
