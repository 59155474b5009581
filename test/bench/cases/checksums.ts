import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import zlib from 'node:zlib';
import type { Table } from '../../../lib/store/table.ts';
import { load } from '../data/made-site.ts';
import { inTurns, print } from '../figures.ts';
import { SITE, startBenchService } from '../service.ts';

const REPORT = {
  fields: ['case_creates', 'inbound_interactions'],
  time: { min: '2025-01-01T00:00:00Z', max: '2026-01-01T00:00:00Z', window_size: 'day' },
};

/**
 * Measures what the sums of items cost, in one run: a warm GET, a warm report, a report that decodes its columns anew and
 * an import, each with the sums and, in turns, with a sum that takes no time and is always right. Processor time, so that
 * other jobs count little. `--scale` is the size of the history.
 */
export async function bench(words: readonly string[]): Promise<string> {
  const { values } = parseArgs({
    args: [...words],
    options: { scale: { type: 'string', default: '0.02' }, rounds: { type: 'string', default: '15' } },
  });
  const [scale, rounds] = [Number(values.scale), Number(values.rounds)];
  const service = await startBenchService();
  const folder = mkdtempSync(join(tmpdir(), 'bench-sums-'));
  try {
    await importInto(service.table, scale, folder);
    const { id } = JSON.parse((await service.ask('POST', '/api/v2/topics', { name: 'Warm' })).body);
    const get = () => service.ask('GET', `/api/v2/topics/${id}`);
    const report = () => ask200(() => service.ask('POST', '/api/v2/insights3/reports', REPORT));
    const ratios = [
      await costOf('warm GET', rounds, { calls: 400, work: get }),
      await costOf('warm report', rounds, { calls: 20, work: report }),
      await costOf('scan of every item', rounds, { calls: 2, work: () => scanAll(service.table) }),
      await costOf('import', Math.max(3, Math.round(rounds / 3)), {
        calls: 1,
        work: async () => {
          const { table, end } = await startBenchService();
          await importInto(table, scale, folder);
          await end();
        },
      }),
    ];
    return `${ratios.join(', ')} with the sums by without (at most 1.03)`;
  } finally {
    await service.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

const importInto = (table: Table, scale: number, folder: string) =>
  load({ table, site: { name: SITE }, clock: Date.now, newId: randomUUID }, scale, folder);

async function ask200(ask: () => Promise<{ readonly statusCode: number; readonly body: string }>): Promise<void> {
  const { statusCode, body } = await ask();
  if (statusCode !== 200) throw new Error(`${statusCode} ${body}`);
}

async function scanAll(table: Table): Promise<void> {
  for await (const _ of table.scan());
}

/** How much processor time some work takes by what it takes without sums. */
async function costOf(
  name: string,
  rounds: number,
  { calls, work }: { readonly calls: number; readonly work: () => Promise<unknown> },
): Promise<string> {
  const measure = async (): Promise<number> => {
    const before = process.cpuUsage();
    for (let n = 0; n < calls; n += 1) await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / calls;
  };
  await measure();
  await withoutSums(measure);
  const { a, b, ratio } = await inTurns(rounds, measure, () => withoutSums(measure));
  print(`${name}: ${a.toFixed(3)} ms with the sums, ${b.toFixed(3)} without; the median ratio is ${ratio.toFixed(3)}`);
  return `${name} ${ratio.toFixed(3)}`;
}

const { crc32 } = zlib;

/** The sum that stands behind the bytes of an item; of other bytes anything. */
const writtenSum: typeof crc32 = (data) => {
  if (typeof data === 'string' || data.byteLength + data.byteOffset + 4 > data.buffer.byteLength) return 0;
  return new DataView(data.buffer, data.byteOffset + data.byteLength).getUint32(0, true);
};

/** Does some work while no sum is computed. */
async function withoutSums<T>(work: () => Promise<T>): Promise<T> {
  Object.assign(zlib, { crc32: writtenSum });
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    Object.assign(zlib, { crc32 });
    syncBuiltinESMExports();
  }
}
