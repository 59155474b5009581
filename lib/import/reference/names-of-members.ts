import { keys, type ReferenceKind } from '../../store/keys.ts';
import { openCollection, type SiteTable } from '../../store/site-table.ts';

/** The names of a site's members of some kinds, by kind and id, as in `agent 7`. */
export async function namesOfMembers(
  target: Pick<SiteTable, 'site' | 'table' | 'collections'>,
  kinds: readonly ReferenceKind[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const kind of kinds) {
    const { items } = await openCollection(target, keys.reference(target.site, kind));
    for (const { id, name } of items.values()) names.set(`${kind} ${id}`, String(name));
  }
  return names;
}
