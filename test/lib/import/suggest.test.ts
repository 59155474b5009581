import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseMapping } from '../../../lib/import/formats/parse-mapping.ts';
import { sniffCsv } from '../../../lib/import/sniff.ts';
import { suggestMapping } from '../../../lib/import/suggest/suggest.ts';

async function suggest(csv: string | Uint8Array) {
  const sample = await sniffCsv(Buffer.from(csv));
  const suggestion = sample && suggestMapping(sample);
  if (suggestion !== undefined) parseMapping(JSON.stringify(suggestion.mapping), 'map.json'); // it is well formed
  return suggestion;
}
const doubts = (suggestion: Awaited<ReturnType<typeof suggest>>) =>
  suggestion?.notes.filter(({ isSure }) => !isSure).map(({ what }) => what);

const repeated = (rows: readonly string[]) =>
  Array.from({ length: 6 }, () => rows)
    .flat()
    .join('\n');

describe('a suggested mapping', () => {
  it('reads a log of activities', async () => {
    const suggestion = await suggest(readFileSync('test/data/requests.csv'));
    expect(suggestion?.mapping).toMatchObject({
      kind: 'activities',
      csv: { separator: ';' },
      time: { format: 'yyyy/MM/dd HH:mm:ss[.SSS]', zone: 'UTC' },
      case: 'Case ID',
      at: 'Complete Timestamp',
      activity: 'Activity',
      activities: { Closed: [{ type: 'case.status', to: { value: 'closed' } }], 'Require upgrade': [] },
      otherwise: 'ignore',
    });
    expect(doubts(suggestion)).toContain('Times are in UTC.');
  });

  it('reads one row a ticket, in any separator and encoding', async () => {
    const rows =
      'Ticket\tState\tPriority\tAssigned to\tOpened\tResolved\n7\tGelöst closed\t1 - Critical\tJörg\t13.02.2026 09:00\t\n8\tNew\t3\t\t01.03.2026 10:00\t02.03.2026 10:00\n';
    const suggestion = await suggest(Buffer.from(rows, 'latin1'));
    expect(suggestion?.mapping).toEqual({
      kind: 'tickets',
      csv: { separator: '\t', encoding: 'windows-1252' },
      time: { format: 'd.M.yyyy H:mm[:ss]', zone: 'UTC' },
      case: 'Ticket',
      created: 'Opened',
      solved: 'Resolved',
      agent: 'Assigned to',
      status: { column: 'State', table: { 'Gelöst closed': 'closed', New: 'new' }, default: 'open' },
      priority: { column: 'Priority', table: { '1 - Critical': 10, '3': 5 }, default: null },
    });
  });

  it('says when days and months cannot be told apart', async () => {
    const either = await suggest('id,created\n1,01/02/2026 09:00\n2,03/04/2026 09:00\n');
    expect(either?.notes).toContainEqual(
      expect.objectContaining({ what: 'Times are written d/M/yyyy H:mm[:ss].', isSure: false }),
    );
    const american = await suggest('id,created\n1,01/22/2026 09:00\n2,03/04/2026 09:00\n');
    expect(american?.mapping).toMatchObject({ time: { format: 'M/d/yyyy H:mm[:ss]' } });
  });

  it('reads messages, and states after each update', async () => {
    const messages = await suggest(
      `issue,message,sent,sender_type\n${repeated(['1,5,1772355630,customer', '1,6,1772355730,agent'])}`,
    );
    expect(messages?.mapping).toMatchObject({
      kind: 'messages',
      time: { format: 'epoch_seconds' },
      key: ['message'],
      direction: { column: 'sender_type', table: { customer: 'inbound', agent: 'outbound' } },
    });
    const states = await suggest(
      `number,state,sys_updated_at,team\n${repeated(['I1,New,2026-03-01T09:00:00Z,a', 'I1,Closed,2026-03-02T09:00:00Z,b'])}`,
    );
    expect(states?.mapping).toMatchObject({ kind: 'snapshots', time: {}, at: 'sys_updated_at', group: 'team' });
  });

  it('is not made of what has neither case nor time', async () => {
    expect(await suggest('a,b\n1,2\n')).toBeUndefined();
    expect(await suggest('hello')).toBeUndefined();
  });
});
