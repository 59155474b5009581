import { cp, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { TABLE_FILE } from '../../../infra/local/table/data-folder.ts';
import { openStore } from '../../../infra/local/table/store.ts';
import { itAtLength } from '../../support/generators/depth.ts';
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

itAtLength('a copy of a folder that is written meanwhile is of one instant', () =>
  withFolder(async (folder) => {
    const [data, backup] = [join(folder, 'data'), join(folder, 'backup')];
    const store = await openStore(data);
    // A transaction raises both numbers. They lie at either end of the file, so that reading from one to the other takes
    // longer than a transaction.
    const [first, last] = [
      { pk: 'a', sk: 'number' },
      { pk: 'z', sk: 'number' },
    ];
    const between = Array.from({ length: 8_000 }, (_, n) => ({ pk: `m${n}`, sk: 'x', text: 'x'.repeat(2_000) }));
    await store.table.batchWrite(between.map((item) => ({ put: item })));
    // The pages of these are free then: a copy of the file would have them, one of the table has not.
    await store.table.batchWrite(between.slice(4_000).map(({ pk, sk }) => ({ delete: { pk, sk } })));
    let [number, isOver] = [0, false];
    const raise = () => {
      number += 1;
      return store.table.transact([{ put: { ...first, number } }, { put: { ...last, number } }]);
    };
    await raise();
    const copying = must('copy', '--data-dir', data, '--to-data-dir', backup).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await raise();
      await turn();
    }
    expect(await copying).toBe('4002 items copied.\n');
    await store.close();
    const [copied, whole] = await Promise.all([backup, data].map((each) => stat(join(each, TABLE_FILE))));
    expect(copied?.size).toBeLessThan(0.7 * (whole?.size ?? 0));
    const copy = await openStore(backup);
    const [a, z] = await copy.table.batchGet([first, last]);
    expect(a?.number).toBe(z?.number);
    expect(a?.number).toBeLessThan(number);
    await copy.close();
  }),
);
