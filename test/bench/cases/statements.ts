import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { FIELD_NAMES, fieldNamed } from '../../../lib/insights/definitions/fields.ts';
import { type ReportRequest, readRequest } from '../../../lib/insights/request.ts';
import { askReport } from '../../../lib/insights/sql/report.ts';
import { parseManifest } from '../../../lib/warehouse/manifest.ts';
import { factsBytes } from '../../../lib/warehouse/read-bytes.ts';
import { engineReference } from '../../support/oracle/engine-report.ts';
import { madeReference } from '../data/history.ts';
import { madeSite, SITE } from '../data/made-site.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/support.js', import.meta.url));
const BILLION = 1e9; // facts
const PRICE = 5 / 1e12; // $ a byte that Athena reads
const CORES = { count: 100, slower: 3 }; // assumed of Athena, beside the core that was measured
const AROUND = 4; // s, assumed around a query
const TRIES = 30; // statements made, of which the middle one is told
const ZONE = { timeZone: 'Europe/Berlin', weekStart: 'monday' } as const;

/** The reports of section 5 of docs/design/scale.md. */
const REPORTS: Readonly<Record<string, object>> = {
  'one count by day': { fields: ['case_creates'], window: 'day' },
  'week × agent × channel, distinct, two filters': {
    ...{ fields: ['resolved_cases'], window: 'week', dimension1: 'action_agent', dimension2: 'channel' },
    filters: [
      [
        ['Include', 'Priorities', [{ id: '3' }]],
        ['Exclude', 'Labels', [{ id: '1' }]],
      ],
    ],
  },
  'p50, p90 of first response, week × agent': {
    ...{ fields: ['time_to_first_response:p50', 'time_to_first_response:p90'], window: 'week' },
    dimension1: 'action_agent',
  },
  'backlog by day × group': { fields: ['open_cases'], window: 'day', dimension1: 'assigned_group' },
  'working hours, week × group': {
    ...{
      fields: ['reply_time', 'avg_time_to_resolution'],
      window: 'week',
      dimension1: 'assigned_group',
      hours: 'business',
    },
  },
  'month × label × group, all 22 fields': {
    ...{ fields: FIELD_NAMES.filter((name) => !('extension' in fieldNamed(name))), window: 'month' },
    ...{ dimension1: 'label', dimension2: 'assigned_group' },
  },
};

/** The statements of six reports over an export of a made-up year, by DuckDB on one thread. `--scale 1`: 13 million facts. */
export async function bench(words: readonly string[]): Promise<string> {
  const { values } = parseArgs({
    args: [...words],
    options: { scale: { type: 'string', default: '0.1' }, data: { type: 'string' } },
  });
  const made = await madeSite(Number(values.scale), values.data);
  const to = mkdtempSync(join(tmpdir(), 'bench-statements-'));
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    await exported(made.dataDir, to);
    const manifest = parseManifest(readFileSync(join(to, `manifests/${SITE}.json`), 'utf8'));
    if (manifest?.reports === undefined) throw new Error('nothing was exported');
    await connection.run(readFileSync(join(to, 'views.sql'), 'utf8'));
    const { min, max } = manifest.reports;
    const reference = engineReference({ reference: madeReference(), site: ZONE, now: max });
    const facts = Object.entries(manifest.files).reduce(
      (sum, [name, { rows }]) => sum + (name.startsWith('facts/') ? rows : 0),
      0,
    );
    const rows: object[] = [];
    let slowest = 0;
    for (const [report, { window, ...body }] of Object.entries(REPORTS) as [string, { window: string }][]) {
      const [from, until] = [min, max].map((second) => new Date(second * 1000).toISOString());
      const sent = { ...body, time: { min: from, max: until, window_size: window } };
      const request: ReportRequest = readRequest(sent, ZONE, max * 1000);
      const asked = { site: SITE, request, reference, extent: { min, max } };
      const known = { ids: () => [], customValues: [] };
      const times = Array.from({ length: TRIES }, () => {
        const start = performance.now();
        askReport({ ...asked, known }, 'trino');
        return performance.now() - start;
      }).sort((a, b) => a - b);
      const ms = times[TRIES >> 1] ?? 0;
      slowest = Math.max(slowest, ms);
      const { sql, reads } = askReport({ ...asked, known }, 'duckdb');
      const begun = process.cpuUsage();
      const found = await connection.runAndReadAll(sql);
      const { user, system } = process.cpuUsage(begun);
      const [seconds, bytes] = [(user + system) / 1e6, factsBytes(manifest.files, reads)];
      const [cpu, read] = [(seconds / facts) * BILLION, (bytes / facts) * BILLION];
      rows.push({
        report,
        'statement ms': Number(ms.toFixed(1)),
        rows: found.currentRowCount,
        'GB of a billion': Number((read / 1e9).toFixed(1)),
        $: Number((read * PRICE).toFixed(3)),
        'processor s': Math.round(cpu),
        'computed s': Math.round(AROUND + (CORES.slower * cpu) / CORES.count),
      });
    }
    console.table(rows);
    return `${facts} facts; the slowest statement is made in ${slowest.toFixed(1)} ms (at most 20)`;
  } finally {
    connection.closeSync();
    instance.closeSync();
    made.remove();
    rmSync(to, { recursive: true, force: true });
  }
}

async function exported(dataDir: string, to: string): Promise<void> {
  const words = ['warehouse', 'export', '--to', to, '--data-dir', dataDir, '--json'];
  const [code] = await once(
    spawn(process.execPath, [PROGRAM, ...words], { stdio: ['ignore', 'ignore', 'inherit'] }),
    'close',
  );
  if (code !== 0) throw new Error(`the export ended with ${code}`);
}
