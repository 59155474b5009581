import { givingWay } from '../../access/login-agent.ts';
import { openCollection } from '../../store/import-target.ts';
import { keys, members, type ReferenceKind } from '../../store/keys.ts';
import { replan } from '../../store/replan.ts';
import type { Item } from '../../store/table.ts';
import { describeImported, mergeImportedTexts, TEXT_FIELDS, textsOfItem } from '../../topics/articles/import.ts';
import { type ArticleTexts, sweepArticle, textWrites } from '../../topics/articles/texts.ts';
import type { ReferenceTarget } from './access.ts';
import { type MemberRecord, mergeMember } from './member.ts';
import type { RecordLine, Refusal } from './record-line.ts';
import { type AgentChange, updateAgentUser } from './user.ts';

/** Limits of one transaction: DynamoDB takes 100 writes and 4 MB, and heads are written too. */
const TOGETHER = { items: 90, bytes: 3_000_000 };

/**
 * Upserts records of one kind, in their order; for agents also their users, unless a guard is there (`guarded-agents.ts`).
 * `isAgreed`: users become as the records say, also where the agents are so already. Returns the refused records.
 */
export async function importMembers(
  target: ReferenceTarget,
  kind: ReferenceKind,
  records: readonly RecordLine<MemberRecord>[],
  isAgreed = false,
): Promise<readonly Refusal[]> {
  const refused: Refusal[] = [];
  const sound = records.filter(({ record, line }) => {
    const reason =
      record.type === 'brand' && record.name === undefined && !record.deleted ? 'name is missing' : undefined;
    if (reason !== undefined) refused.push({ line, reason });
    return reason === undefined;
  });
  const changes = await replan(() => upsert(target, kind, sound));
  if (kind !== 'agent' || target.access) return refused;
  for (const agent of changes) {
    const reason = await replan(() => updateAgentUser(target, { ...agent, changed: agent.changed || isAgreed }));
    if (reason !== undefined) refused.push({ line: agent.line, reason });
  }
  return refused;
}

async function upsert(
  target: ReferenceTarget,
  kind: ReferenceKind,
  records: readonly RecordLine<MemberRecord>[],
): Promise<readonly AgentChange[]> {
  const partition = keys.reference(target.site, kind);
  const collection = await openCollection(target, partition);
  const drafts = new Map<string, Item>();
  const texts = new Map<string, { readonly before: ArticleTexts; readonly after: ArticleTexts; readonly id: number }>();
  const followed: AgentChange[] = [];
  const gone = new Set<number>(); // articles
  for (const { record, line } of records) {
    const sk = members.item(record.id);
    const before = drafts.get(sk) ?? collection.items.get(sk);
    const own = await articleTexts(target, record, before, texts.get(sk)?.after);
    const described = own && describeImported(own.after);
    const merged = mergeMember(before, { pk: partition.pk, sk }, record, { now: target.now, texts: described });
    if (merged === undefined) continue;
    const { item, changed } = merged;
    followed.push({ line, before, after: item, changed });
    if (changed) drafts.set(sk, item);
    const giving = record.type === 'agent' && record.login ? givingWay(collection, record.login, record.id) : undefined;
    if (giving && !drafts.has(giving.sk)) drafts.set(giving.sk, { ...giving, updated_at: target.now });
    if (record.type === 'article' && item.deleted === true) {
      texts.delete(sk);
      gone.add(record.id);
    } else if (own) texts.set(sk, { ...own, before: texts.get(sk)?.before ?? own.before, id: record.id });
  }
  const isGone = (id: number): boolean => drafts.get(members.item(id))?.deleted !== false;
  const sweep = async (ids: readonly number[]): Promise<void> => {
    for (const id of ids) await sweepArticle(target.table, target.site, id);
  };
  await sweep([...gone].filter((id) => !isGone(id))); // back again with other texts
  // Texts are written first, so that a reader of the new version finds them.
  const writes = [...texts.values()].flatMap(({ id, before, after }) => textWrites(target.site, { id }, before, after));
  await target.table.batchWrite(writes);
  for (const put of inParts(drafts.values())) await target.collections.commit(target.table, [{ collection, put }]);
  // Swept last, and again by a record that changes nothing: an import that was killed before is repeated.
  await sweep([...gone].filter(isGone));
  return followed;
}

/** An article's texts before and after a record that has some; undefined for other records. */
async function articleTexts(
  target: ReferenceTarget,
  record: MemberRecord,
  item: Item | undefined,
  draft: ArticleTexts | undefined,
): Promise<{ readonly before: ArticleTexts; readonly after: ArticleTexts } | undefined> {
  if (record.type !== 'article' || !Object.keys(record).some((field) => TEXT_FIELDS.has(field))) return undefined;
  const before = draft ?? (await textsOfItem(target, item));
  return { before, after: mergeImportedTexts(before, record) };
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
