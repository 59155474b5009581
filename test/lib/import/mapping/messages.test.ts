import { readFileSync } from 'node:fs';
import { memberId } from '../../../../lib/access/member-id.ts';
import { openInput } from '../../../../lib/import/formats/input.ts';
import { isEvent } from '../../../../lib/import/records/records.ts';
import { readCsvRows, recordsOf, rejectionsOf } from '../../../support/generators/read-rows.ts';
import { describeWithData } from '../../../support/service/shared-data.ts';

const MAPPING = {
  kind: 'messages',
  source: 'talk:',
  case: 'case',
  key: ['id'],
  at: 'at',
  note: 'private',
  direction: { column: 'role', table: { customer: 'inbound', agent: 'outbound' } },
  actor: { agent: 'author', automated: { column: 'author', table: { robot: true }, default: false } },
  created: { channel: { value: 'Portal', ids: { Portal: 3 } } },
};
const HEADER = 'case,id,at,private,role,author';
const AT = Date.UTC(2026, 2, 1, 9) * 1000;
const read = (...rows: string[]) => readCsvRows([HEADER, ...rows].join('\n'), MAPPING);

describe('messages', () => {
  it('are interactions and notes, one for the rows of one key; the first creates the case', async () => {
    const rows = await read(
      '7,m1,2026-03-01T09:00:00Z,0,customer,Carl',
      '7,m1,2026-03-01T09:00:00Z,0,customer,Carl',
      '7,m2,2026-03-01T09:00:20Z,no,agent,robot',
      '7,m3,2026-03-01T09:00:30Z,1.0,agent,Ann',
      '7,m4,2026-03-01T09:00:40Z,,agent,Ann',
    );
    expect(rejectionsOf(rows)).toEqual([]);
    const agent = memberId('agent', 'Ann');
    expect(recordsOf(rows).filter(isEvent)).toEqual([
      { type: 'case.created', id: 'talk:created', at: AT, case: '7', channel: 3 },
      { type: 'interaction', id: 'talk:tb7qc0.m1', at: AT, case: '7', direction: 'inbound' },
      {
        type: 'interaction',
        id: 'talk:tb7qck.m2',
        at: AT + 20_000_000,
        case: '7',
        direction: 'outbound',
        automated: true,
      },
      { type: 'note', id: 'talk:tb7qcu.m3', at: AT + 30_000_000, case: '7', agent },
      { type: 'interaction', id: 'talk:tb7qd4.m4', at: AT + 40_000_000, case: '7', direction: 'outbound', agent },
    ]);
  });

  it('reject rows without key, direction, or with another role', async () => {
    const rows = await read(
      '7,,2026-03-01T09:00:00Z,0,customer,Carl',
      '7,m2,2026-03-01T09:00:00Z,0,,Carl',
      '7,m3,2026-03-01T09:00:00Z,0,boss,Carl',
      '7,m4,2026-03-01T09:00:00Z,maybe,agent,Carl',
      '7,m5,2026-03-01T09:00:00,0,agent,Carl',
    );
    expect(rejectionsOf(rows)).toEqual([
      [2, 'the key is empty (id)'],
      [3, 'the direction is empty'],
      [4, 'role: "boss" is not in the mapping\'s table'],
      [5, 'note: "maybe" is neither true nor false'],
      [6, 'at: "2026-03-01T09:00:00" has no offset, and the mapping names no zone'],
    ]);
  });
});

describeWithData('conversations.csv.gz', 'the mapping of the conversations', (path) => {
  const mapping = JSON.parse(readFileSync('test/data/conversations.mapping.json', 'utf8'));

  async function counts(given: unknown): Promise<Record<string, number>> {
    const rows = await readCsvRows((await openInput(path)).bytes, given);
    expect(rejectionsOf(rows)).toEqual([]);
    const found = { created: 0, inbound: 0, outbound: 0, automated: 0, notes: 0 };
    for (const record of recordsOf(rows)) {
      if (record.type === 'case.created') found.created += 1;
      if (record.type === 'note') found.notes += 1;
      if (record.type === 'interaction') found[record.automated ? 'automated' : record.direction] += 1;
    }
    return found;
  }

  it('gives the golden numbers of docs/rules.md, with the automatic replier marked', async () => {
    expect(await counts(mapping)).toEqual({
      created: 360,
      inbound: 1_595,
      outbound: 3_636,
      automated: 365,
      notes: 1_690,
    });
  });

  it('and without', async () => {
    const unmarked = { ...mapping, actor: { agent: 'author' } };
    expect(await counts(unmarked)).toEqual({
      created: 360,
      inbound: 1_595,
      outbound: 4_001,
      automated: 0,
      notes: 1_690,
    });
  });
});
