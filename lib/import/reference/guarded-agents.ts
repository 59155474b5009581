import { auditedTable } from '../../access/audited-table.ts';
import { openCollection } from '../../store/import-target.ts';
import { keys, members } from '../../store/keys.ts';
import { type AccessGuard, agentAccess, mayChangeAccess, type ReferenceTarget } from './access.ts';
import type { MemberRecord } from './member.ts';
import { importMembers } from './member-records.ts';
import type { RecordLine, Refusal } from './record-line.ts';

/**
 * Upserts records of agents, in their order. One that changes a role, a login or a removal is written alone, with its
 * entry in the audit, where the guard takes it; all others change no user. Returns the refused records.
 */
export async function importGuardedAgents(
  target: ReferenceTarget & { readonly access: AccessGuard },
  records: readonly RecordLine<MemberRecord>[],
): Promise<readonly Refusal[]> {
  const { access, table, site } = target;
  const partition = keys.reference(site, 'agent');
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
    const agents = await openCollection(target, partition);
    const change = await agentAccess(target, agents.items.get(members.item(record.id)), record);
    if (change === undefined) {
      plain.push(one);
      continue;
    }
    const reason = await access.decide(change);
    if (reason !== undefined) {
      refused.push({ line, reason: `${change.fields[0]}: ${reason}` });
      continue;
    }
    await writePlain();
    const audited = auditedTable(table, site, access.entryOf(change));
    const taking = { ...target, access: undefined, table: audited.table };
    refused.push(...(await importMembers(taking, 'agent', [one], true)));
  }
  await writePlain();
  return refused;
}
