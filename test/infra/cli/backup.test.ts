import { cp, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { run, withFolder } from '../../support/service/program.ts';

const RECORDS = [
  { type: 'topic', id: 7, name: 'Billing' },
  { type: 'case.created', id: 'a', at: '2026-01-05T10:00:00Z', case: 1 },
  { type: 'case.status', id: 'b', at: '2026-01-06T10:00:00Z', case: 1, to: 'resolved' },
];
const REQUEST = {
  fields: ['case_creates', 'case_resolves', 'avg_time_to_resolution'],
  time: { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z', window_size: 'week' },
};

async function must(...args: string[]): Promise<string> {
  const { status, out, err } = await run(args);
  expect([status, err]).toEqual([0, expect.any(String)]);
  return out;
}

it('a copy of a data folder, put in the place of one that was lost, gives the same report and lists', () =>
  withFolder(async (folder) => {
    const [data, backup] = [join(folder, 'data'), join(folder, 'backup')];
    const [records, request] = [join(folder, 'records.ndjson'), join(folder, 'request.json')];
    await writeFile(records, RECORDS.map((record) => `${JSON.stringify(record)}\n`).join(''));
    await writeFile(request, JSON.stringify(REQUEST));
    const look = async () => [
      await must('report', request, '--site', 'acme', '--output', 'json', '--data-dir', data),
      await must('site', 'list', '--json', '--data-dir', data),
    ];
    await must('site', 'add', 'acme', '--data-dir', data);
    await must('import', records, '--site', 'acme', '--format', 'ndjson', '--data-dir', data);
    const before = await look();
    await must('copy', '--data-dir', data, '--to-data-dir', backup);
    await rename(data, join(folder, 'damaged'));
    await cp(backup, data, { recursive: true });
    expect(await look()).toEqual(before);
  }));
