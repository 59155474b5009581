import { changeAuthority } from '../../access/authority.ts';
import { givingWay } from '../../access/login-agent.ts';
import { keys, members } from '../../store/keys.ts';
import { replan } from '../../store/replan.ts';
import { openCollection } from '../../store/site-table.ts';
import {
  type AccessChange,
  agentAccess,
  doorOfChange,
  losesAdministrator,
  mayChangeAccess,
  type ReferenceTarget,
} from './access.ts';
import { type MemberRecord, mergeMember } from './member.ts';
import { importMembers } from './member-records.ts';
import type { RecordLine, Refusal } from './record-line.ts';
import { reasonIfRefused, usersOfAgent } from './user.ts';

/**
 * Upserts records of agents, in their order. One that changes a role, a login or a removal is written alone, with its
 * user and its entry in the audit, where the guard wants it and the rules let it through. Of a free guard only those
 * are written alone that take an Administrator from the site; the users of the others follow them. Returns the refused
 * records.
 */
export async function importAgents(
  target: ReferenceTarget,
  records: readonly RecordLine<MemberRecord>[],
): Promise<readonly Refusal[]> {
  const { access } = target;
  const refused: Refusal[] = [];
  let plain: RecordLine<MemberRecord>[] = [];
  const writePlain = async (): Promise<void> => {
    const some = plain;
    plain = [];
    refused.push(...(await importMembers(target, 'agent', some)));
  };
  for (const one of records) {
    const { record, line } = one;
    if (!mayChangeAccess(record)) {
      plain.push(one);
      continue;
    }
    if (plain.some(({ record: { id } }) => id === record.id)) await writePlain(); // what it has so far is compared
    const agents = await openCollection(target, keys.reference(target.site, 'agent'));
    const change = await agentAccess(target, agents.items.get(members.item(record.id)), record);
    if (change === undefined || (access.isFree && !losesAdministrator(change))) {
      plain.push(one);
      continue;
    }
    await writePlain();
    const unwanted = await access.decide(change);
    const reason = unwanted === undefined ? await replan(() => importAgent(target, record, change)) : unwanted;
    if (reason !== undefined) refused.push({ line, reason: withField(change, reason) });
  }
  await writePlain();
  return refused;
}

/** A reason that begins with the field that it is about. */
const withField = ({ fields }: AccessChange, reason: string): string =>
  /^[a-z_]+: /.test(reason) ? reason : `${fields[0]}: ${reason}`;

/** Writes an agent, the users that its record changes, and the audit's entry, in one transaction. */
async function importAgent(
  target: ReferenceTarget,
  record: MemberRecord,
  change: AccessChange,
): Promise<string | undefined> {
  const { pk } = keys.reference(target.site, 'agent');
  const agents = await openCollection(target, { pk });
  const key = { pk, sk: members.item(record.id) };
  const before = agents.items.get(key.sk);
  const merged = mergeMember(before, key, record, target.now);
  if (merged === undefined) return undefined;
  const { item } = merged;
  const users = await usersOfAgent(target, { before, after: item, changed: true });
  if (typeof users === 'string') return users;
  const giving = record.type === 'agent' && record.login ? givingWay(agents, record.login, record.id) : undefined;
  const put = [item, ...(giving ? [{ ...giving, updated_at: target.now }] : [])];
  return reasonIfRefused(() =>
    changeAuthority(doorOfChange(target, change), { users }, { changes: [{ collection: agents, put }] }),
  );
}
