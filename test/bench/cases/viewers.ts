import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { madeSite, USER } from '../data/made-site.ts';
import { print } from '../figures.ts';
import { startServiceProcess } from '../service-process.ts';

const TARGET = 1_000; // viewers a second
const CONNECTIONS = 50;
const SECONDS = 10;
const TIME = { last: 4, unit: 'week', window_size: 'week' };
const WAYS = ['number', 'line', 'bars', 'table'] as const;

const run = promisify(execFile);

/** Measures how many viewers of one link to a board a process answers in a second, as browsers ask: with gzip. */
export async function bench(options: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-viewers-'));
  const scale = Number(options[options.indexOf('--scale') + 1] ?? 0) || 0.01;
  await madeSite(scale, folder);
  const service = await startServiceProcess(folder);
  const url = `http://127.0.0.1:${service.port}`;
  const make = async (path: string, body: object) => {
    const authorization = `Basic ${Buffer.from(`${USER.login}:${USER.password}`).toString('base64')}`;
    const reply = await fetch(`${url}/api/v2/${path}`, {
      method: 'POST',
      headers: { authorization },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${await reply.text()}`);
    return Object(await reply.json());
  };
  try {
    const tiles: object[] = [{ heading: 'This month' }];
    for (const shown_as of WAYS) {
      const isSplit = shown_as === 'bars' || shown_as === 'table';
      const time = isSplit ? { ...TIME, window_size: 'none' } : TIME;
      const request = { fields: ['case_creates'], time, ...(isSplit && { dimension1: 'action_agent' }) };
      tiles.push({ saved_report: (await make('saved_reports', { name: shown_as, request })).id, shown_as });
    }
    const { id } = await make('boards', { name: 'Monday', tiles });
    const { _links } = await make(`boards/${id}/links`, { name: 'Bench' });
    const target = `${url}${_links.data.href}`;
    const began = performance.now();
    const size = (await (await fetch(target)).text()).length;
    const first = performance.now() - began;
    const before = service.processorTime();
    const asked = ['--json', '-c', String(CONNECTIONS), '-d', String(SECONDS), '-H', 'accept-encoding=gzip', target];
    const { stdout } = await run('node_modules/.bin/autocannon', asked);
    const { requests, latency, non2xx } = JSON.parse(stdout);
    if (non2xx > 0) throw new Error(`${non2xx} replies were no success`);
    const each = (service.processorTime() - before) / requests.total;
    print(
      `first viewer ${first.toFixed(0)} ms, ${size} characters; then ${requests.average.toFixed(0)}/s at ${CONNECTIONS} connections, p99 ${latency.p99} ms, ${each.toFixed(0)} µs of a core`,
    );
    return `viewers of a link: ${requests.average.toFixed(0)} a second by one process (target ${TARGET})`;
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
