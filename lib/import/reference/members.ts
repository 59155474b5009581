import { type ImportTarget, readHeads } from '../../store/import-target.ts';
import { keys, members, type ReferenceKind } from '../../store/keys.ts';
import { replan } from '../../store/replan.ts';
import type { Item } from '../../store/table.ts';
import { type MemberRecord, mergeMember } from './member.ts';
import type { RecordLine, Refusal } from './record-line.ts';
import { type AgentChange, updateAgentUser } from './user.ts';

/** Limits of one transaction: DynamoDB takes 100 writes and 4 MB, and heads are written too. */
const TOGETHER = { items: 90, bytes: 3_000_000 };

/** Upserts records of one kind, in their order; for agents also their users. Returns the refused records. */
export async function importMembers(
  target: ImportTarget,
  kind: ReferenceKind,
  records: readonly RecordLine<MemberRecord>[],
): Promise<readonly Refusal[]> {
  const refused: Refusal[] = [];
  const sound = records.filter(({ record, line }) => {
    const reason =
      record.type === 'brand' && record.name === undefined && !record.deleted ? 'name is missing' : undefined;
    if (reason !== undefined) refused.push({ line, reason });
    return reason === undefined;
  });
  const followed = await replan(() => upsert(target, kind, sound));
  if (kind !== 'agent') return refused;
  for (const agent of followed) {
    const reason = await replan(() => updateAgentUser(target, agent));
    if (reason !== undefined) refused.push({ line: agent.line, reason });
  }
  return refused;
}

async function upsert(
  target: ImportTarget,
  kind: ReferenceKind,
  records: readonly RecordLine<MemberRecord>[],
): Promise<readonly AgentChange[]> {
  const partition = keys.reference(target.site, kind);
  const open = await readHeads(target, [partition]);
  const collection = await open(partition);
  const drafts = new Map<string, Item>();
  const bodies = new Map<string, Item>();
  const followed: AgentChange[] = [];
  for (const { record, line } of records) {
    const sk = members.item(record.id);
    const before = drafts.get(sk) ?? collection.items.get(sk);
    const merged = mergeMember(before, { pk: partition.pk, sk }, record, target.now);
    if (merged === undefined) continue;
    const { item, changed } = merged;
    followed.push({ line, before, after: item, changed });
    if (changed) drafts.set(sk, item);
    if (record.type === 'article' && before?.body_hash !== item.body_hash) {
      const key = { ...keys.articleText(target.site), sk: members.articleText(record.id) };
      bodies.set(sk, { ...key, body: record.body ?? '' });
    }
  }
  // Bodies are written first, so that a reader of the new version finds them.
  await target.table.batchWrite([...bodies.values()].map((put) => ({ put })));
  for (const put of inParts(drafts.values())) await target.collections.commit(target.table, [{ collection, put }]);
  return followed;
}

/** Cuts items into parts that fit a transaction. */
function* inParts(items: Iterable<Item>): Generator<readonly Item[]> {
  let part: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item));
    if (part.length === TOGETHER.items || bytes + size > TOGETHER.bytes) {
      if (part.length > 0) yield part;
      part = [];
      bytes = 0;
    }
    part.push(item);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
