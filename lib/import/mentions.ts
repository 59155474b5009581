import { isToNote } from '../access/records.ts';
import type { Erasures } from '../history/cases/erasing.ts';
import { type HistoryEvent, isMark, isOfAgent } from '../history/cases/event.ts';
import { mentionMacros } from '../macros/records.ts';
import { chunks } from '../store/batches.ts';
import { keys, members, type ReferenceKind } from '../store/keys.ts';
import { replan } from '../store/replan.ts';
import { openCollection, type SiteTable } from '../store/site-table.ts';
import { recordOf } from '../typed-object.ts';

/** The kinds of members that events name, apart from macros. */
const KINDS = ['agent', 'group', 'label', 'channel', 'company', 'custom_field'] as const satisfies ReferenceKind[];
export type MentionedKind = (typeof KINDS)[number] | 'macro';

/** Most members in a transaction. */
const TOGETHER = 90;

/** Collects the members that events name. */
export interface Mentions {
  readonly see: (event: HistoryEvent) => void;
  readonly hasSeen: (kind: MentionedKind, id: number) => boolean; // since it was written last
  /**
   * Notes that cases name members, and stores the ids of those without a record, erased ones excepted, so that meta shows them by id (docs/import.md).
   */
  readonly write: (target: SiteTable, erasures: Erasures | undefined) => Promise<void>;
}

export function newMentions(): Mentions {
  const seen: Seen = recordOf([...KINDS, 'macro'], () => new Set());
  return {
    see: (event) => see(event, seen),
    hasSeen: (kind, id) => seen[kind].has(id),
    write: async (target, erasures) => {
      for (const kind of ['agent', 'company'] as const)
        for (const id of seen[kind]) if (erasures?.standIn(kind, id) !== undefined) seen[kind].delete(id);
      for (const kind of KINDS) await mention(target, kind, seen[kind]);
      if (seen.macro.size > 0) await mentionMacros(target, [...seen.macro]);
      for (const set of Object.values(seen)) set.clear();
    },
  };
}

type Seen = Readonly<Record<MentionedKind, Set<number>>>;

function note(seen: Seen, kind: MentionedKind, id: number | null | undefined): void {
  if (typeof id === 'number') seen[kind].add(id);
}

function see(event: HistoryEvent, seen: Seen): void {
  if (isMark(event)) return;
  note(seen, 'agent', event.agent);
  if (isOfAgent(event)) return;
  note(seen, 'group', event.group);
  switch (event.type) {
    case 'case.created':
      note(seen, 'channel', event.channel);
      note(seen, 'company', event.company);
      for (const label of event.labels ?? []) note(seen, 'label', label);
      for (const field of Object.keys(event.custom_fields ?? {})) note(seen, 'custom_field', Number(field));
      break;
    case 'case.assigned':
      note(seen, 'agent', event.to.agent);
      note(seen, 'group', event.to.group);
      break;
    case 'case.labels':
      for (const label of event.set ?? []) note(seen, 'label', label);
      for (const label of event.add ?? []) note(seen, 'label', label);
      break;
    case 'case.company':
      note(seen, 'company', event.company);
      break;
    case 'case.custom_field':
      note(seen, 'custom_field', event.field);
      break;
    case 'macro.applied':
      note(seen, 'macro', event.macro);
      break;
    default:
  }
}

function mention(target: SiteTable, kind: ReferenceKind, ids: ReadonlySet<number>): Promise<void> {
  if (ids.size === 0) return Promise.resolve();
  return replan(async () => {
    const partition = keys.reference(target.site, kind);
    const collection = await openCollection(target, partition);
    const stored = (id: number) => collection.items.get(members.item(id));
    const news = [...ids].filter((id) => isToNote(stored(id)));
    for (const some of chunks(news, TOGETHER)) {
      const put = some.map((id) => ({ pk: partition.pk, sk: members.item(id), id, ...stored(id), unused: false }));
      await target.collections.commit(target.table, [{ collection, put }]);
    }
  });
}
