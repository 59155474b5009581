import type { Context } from '../context.ts';
import { type Collection, perVersion } from '../store/collection.ts';
import { keys } from '../store/keys.ts';
import { type DimensionName, dimensionNamed } from './definitions/dimensions.ts';
import { customFieldNames } from './meta.ts';
import type { Member } from './reference.ts';
import { isNamed, readNames } from './site-reference.ts';

/** Returns the name of a member; its id if no reference record names it. */
export type MemberNames = (member: Member) => string;

/** Loads the names of a dimension's members, including deleted ones. */
export async function memberNames(context: Context, dimension: DimensionName): Promise<MemberNames> {
  const { members } = dimensionNamed(dimension);
  if (members === 'customValues') {
    const names = perVersion(await context.open(keys.reference(context.site.name, 'custom_field')), namesByKey);
    return (member) => names.get(String(member)) ?? String(member);
  }
  if (!isNamed(members)) return String; // digits and words name themselves
  const names = await readNames(context, members);
  return (member) => names.get(Number(member)) ?? String(member);
}

const namesByKey = (collection: Collection): ReadonlyMap<string, string> => new Map(customFieldNames(collection));
