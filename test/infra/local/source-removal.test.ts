import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { itAtLength } from '../../support/generators/depth.ts';
import { basic } from '../../support/service/credentials.ts';
import { type Running, run, startProgram, withFolder } from '../../support/service/program.ts';

const PASSWORD = 'correct horse battery';
const headers = { Authorization: basic('ann@acme.example', PASSWORD) };

/** A data folder with one source, `calls`, of a thousand cases. */
const withSource = (work: (folder: string) => Promise<void>): Promise<void> =>
  withFolder(async (folder) => {
    const place = ['--site', 'acme', '--data-dir', folder];
    await run(['site', 'add', 'acme', '--default', '--data-dir', folder]);
    const user = ['user', 'add', '--login', 'ann@acme.example', '--role', 'Administrator', '--password-stdin'];
    await run([...user, ...place], { input: `${PASSWORD}\n` });
    const file = join(folder, 'calls.ndjson');
    const record = { type: 'case.created', at: '2026-10-01T10:00:00Z', channel: 1, source: 'calls' };
    const records = Array.from({ length: 1_000 }, (_, n) => JSON.stringify({ ...record, id: `${n}`, case: n + 1 }));
    await writeFile(file, records.join('\n'));
    const { status, err } = await run(['import', file, ...place]);
    expect([status, err]).toEqual([0, expect.any(String)]);
    await work(folder);
  });

async function sourcesOf({ url }: Running): Promise<readonly { readonly name: string }[]> {
  const reply = await fetch(`${url}/api/v2/sources`, { headers });
  return JSON.parse(await reply.text())._embedded.entries;
}

/** Waits until the service has no source. */
async function untilGone(service: Running): Promise<void> {
  while ((await sourcesOf(service)).length > 0) await sleep(50); // ms
}

/** The process that removes a source for a service, once it has begun. */
async function removerOf({ pid }: Running): Promise<number> {
  for (;;) {
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').filter(Boolean);
    for (const child of children) {
      const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '');
      if (command.includes('remove-source')) return Number(child);
    }
    await sleep(2); // ms
  }
}

itAtLength('a removal whose process is killed says so, and begins again', async () => {
  await withSource(async (folder) => {
    const service = await startProgram(folder);
    try {
      expect(await sourcesOf(service)).toMatchObject([{ name: 'calls' }]);
      const reply = await fetch(`${service.url}/api/v2/sources/calls`, { method: 'DELETE', headers });
      expect(reply.status).toBe(204);
      process.kill(await removerOf(service), 'SIGKILL');
      await untilGone(service);
    } finally {
      const { out, err } = await service.end('SIGTERM');
      expect(`${out}${err}`).toMatch(/removal of a source begins again.*its process was killed/);
    }
  });
});

it('a removal that was asked for just before the service died goes on at its next start', async () => {
  await withSource(async (folder) => {
    const killed = await startProgram(folder);
    const reply = await fetch(`${killed.url}/api/v2/sources/calls`, { method: 'DELETE', headers });
    await killed.end('SIGKILL');
    expect(reply.status).toBe(204);
    const service = await startProgram(folder);
    try {
      await untilGone(service);
    } finally {
      await service.end('SIGTERM');
    }
  });
});
