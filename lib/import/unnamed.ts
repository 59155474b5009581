import { readAudit } from '../access/audit.ts';
import { isTrace, keptTraces } from '../access/records.ts';
import { SHARDS } from '../history/cases/subject.ts';
import { shardNow } from '../history/storage/commit.ts';
import type { HistoryContext } from '../history/storage/history-context.ts';
import { readAllByLeaf } from '../history/storage/ledger-store.ts';
import { chunks } from '../store/batches.ts';
import type { Collection } from '../store/collection.ts';
import { unavailable } from '../store/faults.ts';
import { keys, type Partition, type ReferenceKind } from '../store/keys.ts';
import { pause } from '../store/pause.ts';
import { replan } from '../store/replan.ts';
import { openCollection, type SiteTable } from '../store/site-table.ts';
import type { Item } from '../store/table.ts';
import { type MentionedKind, type Mentions, newMentions } from './mentions.ts';

/** Things that stay once they are deleted: where they lie, what the audit calls them, and as what events name them. */
interface Place {
  readonly partition: (site: string) => Partition;
  readonly path: string; // below `/api/v2/`
  readonly kind?: MentionedKind; // absent: no event names one
}

const reference = (kind: ReferenceKind) => (site: string) => keys.reference(site, kind);

const PLACES: readonly Place[] = [
  { partition: reference('label'), path: 'labels', kind: 'label' },
  { partition: reference('custom_field'), path: 'custom_fields', kind: 'custom_field' },
  { partition: reference('company'), path: 'companies', kind: 'company' },
  { partition: reference('agent'), path: 'users', kind: 'agent' },
  { partition: keys.macros, path: 'macros', kind: 'macro' },
  { partition: reference('brand'), path: 'brands' },
  { partition: reference('article'), path: 'articles' },
  { partition: reference('calendar'), path: 'calendars' },
  { partition: reference('sla_policy'), path: 'sla_policies' },
  { partition: keys.topics, path: 'topics' },
];

const AT_ONCE = 45; // items written, and as many removed, in a transaction
const ENTRIES = 500; // of the audit, read at once
const TRIES = 20; // for one shard

/**
 * Settles what stays of deleted things of earlier versions, which noted of none whether something names it: one that the audit
 * says was made here, and that no event names, goes; the others stay. It reads audit and ledger once; what is settled is not
 * asked again. Returns how many items went.
 */
export async function settleTraces(target: SiteTable, history: HistoryContext): Promise<number> {
  const open = ({ partition }: Place) => openCollection(target, partition(target.site));
  const places: Place[] = [];
  for (const place of PLACES) if (unsettled(await open(place)).length > 0) places.push(place);
  if (places.length === 0) return 0;
  const made = await madeHere(target);
  const mentions = await mentionsOf(history);
  let gone = 0;
  for (const place of places)
    await replan(async () => {
      const collection = await open(place);
      const settled = unsettled(collection).map((item) => {
        const isMade = made.has(`${place.path}/${item.id}`);
        return { ...item, unused: isMade && !(place.kind && mentions.hasSeen(place.kind, Number(item.id))) };
      });
      for (const some of chunks(settled, AT_ONCE)) {
        const { put, remove } = keptTraces(collection, some, AT_ONCE);
        await target.collections.commit(target.table, [{ collection, put, remove }]);
        gone += remove.length;
      }
    });
  return gone;
}

const unsettled = ({ items }: Collection): readonly Item[] =>
  [...items.values()].filter((item) => isTrace(item) && item.unused === undefined);

/** The paths of what was made over the API, as the audit knows them. */
async function madeHere({ table, site }: SiteTable): Promise<ReadonlySet<string>> {
  const made = new Set<string>();
  let before: string | undefined;
  do {
    const { entries, last } = await readAudit(table, site, { before, limit: ENTRIES });
    for (const { action, resource } of entries) if (action === 'create') made.add(resource);
    before = last;
  } while (before !== undefined);
  return made;
}

/** What all stored events name. */
async function mentionsOf(history: HistoryContext): Promise<Mentions> {
  const mentions = newMentions();
  for (let number = 0; number < SHARDS; number += 1)
    for (let attempt = 1; !(await seeShard(history, number, mentions)); attempt += 1) {
      if (attempt === TRIES) throw unavailable(new Error('the history is written too often to read it'));
      await pause(Math.min(attempt, 4));
    }
  return mentions;
}

/** Returns false if another writer changed the shard meanwhile. */
async function seeShard(history: HistoryContext, number: number, { see }: Mentions): Promise<boolean> {
  const shard = await shardNow(history.table, history.site.name, number);
  const leaves = await readAllByLeaf(history, shard);
  if (leaves === undefined) return false;
  for (const leaf of leaves) for (const events of leaf.values()) for (const event of events) see(event);
  return true;
}
