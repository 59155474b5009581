import { groupsOfAgents } from '../access/agents.ts';
import { customFields, references } from '../access/reference.ts';
import type { Site } from '../access/site-fields.ts';
import { POSITIVE } from '../insights/definitions/measures.ts';
import { macroReferences } from '../insights/meta.ts';
import type { Collection } from '../store/collection.ts';
import { keys, type Partition, type ReferenceKind } from '../store/keys.ts';
import { WEEK_DAYS } from '../vocabulary.ts';
import type { ColumnValues } from './columns.ts';

const KINDS = ['agent', 'group', 'channel', 'label', 'company'] as const satisfies readonly ReferenceKind[];

interface Member {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  readonly deleted: boolean;
  readonly groups?: readonly number[];
  readonly listed?: boolean;
}

/** The members of a site, as columns of the table `members`. */
export async function memberValues(
  site: Site,
  open: (partition: Partition) => Promise<Collection>,
): Promise<ColumnValues> {
  const all: Member[] = [];
  for (const kind of KINDS) {
    const collection = await open(keys.reference(site.name, kind));
    const groups = kind === 'agent' ? groupsOfAgents(collection) : undefined;
    for (const { id, name, deleted } of references(collection).values())
      all.push({ kind, id, name, deleted, groups: groups?.get(id) ?? [] });
  }
  for (const { id, name, deleted } of macroReferences(await open(keys.macros(site.name))))
    all.push({ kind: 'macro', id, name, deleted });
  for (const { id, name, deleted, values } of customFields(await open(keys.reference(site.name, 'custom_field'))))
    all.push({ kind: 'custom_field', id, name, deleted, listed: values.length > 0 });
  return {
    site: all.map(() => site.name),
    kind: all.map(({ kind }) => kind),
    id: all.map(({ id }) => BigInt(id)),
    name: all.map(({ name }) => name),
    deleted: all.map(({ deleted }) => deleted),
    groups: all.map(({ groups = [] }) => groups.map(BigInt)),
    listed: all.map(({ listed = false }) => listed),
  };
}

/** The one row of the table `sites`; `now` is in epoch ms. */
export const siteValues = (site: Site, now: number): ColumnValues => ({
  site: [site.name],
  title: [site.title],
  time_zone: [site.timeZone],
  week_start: [BigInt(WEEK_DAYS.indexOf(site.weekStart))],
  positive_score: [BigInt(POSITIVE[site.rating])],
  exported_at: [BigInt(now) * 1000n],
});
