import type { Context } from '../context.ts';
import { type Collection, view } from '../store/collection.ts';
import { keys } from '../store/keys.ts';
import { DIMENSIONS, type DimensionName } from './dimensions.ts';
import { customFieldNames } from './meta.ts';
import type { Member } from './reference.ts';
import { readNames } from './site-reference.ts';

/** What a member is called; one that no reference record has brought is called by its id. */
export type MemberNames = (member: Member) => string;

/** The names of a dimension's members, deleted ones among them. */
export async function memberNames(context: Context, dimension: DimensionName): Promise<MemberNames> {
  const { members } = DIMENSIONS[dimension];
  if (members === 'customValues') {
    const names = view(await context.open(keys.reference(context.site.name, 'custom_field')), namesByKey);
    return (member) => names.get(String(member)) ?? String(member);
  }
  const names = await readNames(context, members);
  return (member) => names.get(Number(member)) ?? String(member);
}

const namesByKey = (collection: Collection): ReadonlyMap<string, string> => new Map(customFieldNames(collection));
