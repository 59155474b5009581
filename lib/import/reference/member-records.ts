import { givingWay } from '../../access/login-agent.ts';
import { named } from '../../access/records.ts';
import { change, type Edit } from '../../resource/change.ts';
import { writerOf } from '../../resource/records.ts';
import { recordsOf } from '../../resource/storing.ts';
import type { Collection } from '../../store/collection.ts';
import { keys, members } from '../../store/keys.ts';
import { replan } from '../../store/replan.ts';
import { openCollection } from '../../store/site-table.ts';
import type { Item } from '../../store/table.ts';
import type { ReferenceTarget } from './access.ts';
import { type MemberRecord, type MemberRecordKind, mergeMember } from './member.ts';
import type { RecordLine, Refusal } from './record-line.ts';
import { type AgentChange, updateAgentUser } from './user.ts';

/**
 * Upserts records of one kind, in their order; the users of agents follow them under a free guard (`guarded-agents.ts`).
 * Returns the refused records.
 */
export async function importMembers(
  target: ReferenceTarget,
  kind: MemberRecordKind,
  records: readonly RecordLine<MemberRecord>[],
): Promise<readonly Refusal[]> {
  const refused: Refusal[] = [];
  const sound = records.filter(({ record, line }) => {
    const reason =
      record.type === 'brand' && record.name === undefined && !record.deleted ? 'name is missing' : undefined;
    if (reason !== undefined) refused.push({ line, reason });
    return reason === undefined;
  });
  const changes = await replan(() => upsert(target, kind, sound));
  if (kind !== 'agent' || !target.access.isFree) return refused;
  for (const agent of changes) {
    const reason = await replan(() => updateAgentUser(target, agent));
    if (reason !== undefined) refused.push({ line: agent.line, reason });
  }
  return refused;
}

async function upsert(
  target: ReferenceTarget,
  kind: MemberRecordKind,
  records: readonly RecordLine<MemberRecord>[],
): Promise<readonly AgentChange[]> {
  const collection = await openCollection(target, keys.reference(target.site, kind));
  const { edits, followed } = editsOf(collection, records, target.now);
  await change(
    writerOf(target, async () => collection),
    [{ collection, storing: recordsOf(kind), edits }],
  );
  return followed;
}

/** What records make of the members of their kind, in their order, and which agents they change. `now` in epoch ms. */
export function editsOf(
  collection: Collection,
  records: readonly RecordLine<MemberRecord>[],
  now: number,
): { readonly edits: readonly Edit[]; readonly followed: readonly AgentChange[] } {
  const drafts = new Map<string, Item>();
  const followed: AgentChange[] = [];
  for (const { record, line } of records) {
    const sk = members.item(record.id);
    const before = drafts.get(sk) ?? collection.items.get(sk);
    const merged = mergeMember(before, { pk: collection.pk, sk }, record, now);
    if (merged === undefined) {
      if (before) drafts.set(sk, named(before)); // a newer one was applied before
      continue;
    }
    const { item, changed } = merged;
    followed.push({ line, before, after: item, changed });
    if (changed) drafts.set(sk, item);
    const giving = record.type === 'agent' && record.login ? givingWay(collection, record.login, record.id) : undefined;
    if (giving && !drafts.has(giving.sk)) drafts.set(giving.sk, { ...giving, updated_at: now });
  }
  const edits = [...drafts].map(([sk, after]) => ({ before: collection.items.get(sk), after }));
  return { edits, followed };
}
