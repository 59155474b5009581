import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSettings } from '../../../lib/settings.ts';
import { itAtLength } from '../../support/generators/depth.ts';
import { basic } from '../../support/service/credentials.ts';
import { run, startProgram, withFolder } from '../../support/service/program.ts';

const PASSWORD = 'correct horse battery';

itAtLength('an import that needs more memory than it may take dies, says so, and takes nothing with it', async () => {
  await withFolder(async (folder) => {
    const place = ['--site', 'acme', '--data-dir', folder];
    await run(['site', 'add', 'acme', '--default', '--data-dir', folder]);
    const user = ['user', 'add', '--login', 'ann@acme.example', '--role', 'Administrator', '--password-stdin'];
    await run([...user, ...place], { input: `${PASSWORD}\n` });
    const service = await startProgram(folder, { IMPORT_HEAP_MB: '64' });
    try {
      const ask = async (method: string, path: string, body?: Uint8Array<ArrayBuffer>) => {
        const headers = { Authorization: basic('ann@acme.example', PASSWORD) };
        const reply = await fetch(`${service.url}${path}`, { method, headers, ...(body ? { body } : {}) });
        return { status: reply.status, body: JSON.parse(await reply.text()) };
      };
      const long = 'x'.repeat(3_000);
      const lines = Array.from({ length: 30_000 }, (_, n) =>
        JSON.stringify({
          type: 'case.custom_field',
          id: `${n}`,
          case: 7,
          at: '2026-10-01T10:00:00Z',
          field: 1,
          value: `${n}${long}`,
        }),
      );
      const sent = await ask('POST', '/api/v2/imports?name=large.ndjson', Buffer.from(lines.join('\n')));
      expect(sent.status).toBe(201);
      for (;;) {
        const { body } = await ask('GET', `/api/v2/imports/${sent.body.id}`);
        expect(['checking', 'interrupted']).toContain(body.state);
        if (body.problem?.includes('needed more memory')) break; // told a moment after its death is seen
        await sleep(100);
      }
      expect((await ask('GET', '/health')).body).toEqual({ status: 'ok' });
      expect(
        (await ask('POST', '/api/v2/imports?name=next.ndjson', Buffer.from('{"type":"group","id":1,"name":"A"}')))
          .status,
      ).toBe(201);
    } finally {
      await service.end('SIGTERM');
    }
  });
});

it('a unit of systemd that is written as we say has room for it, and goes on after it', async () => {
  const text = await readFile(new URL('../../../docs/server.md', import.meta.url), 'utf8');
  const unit = /```ini\n(.*?)```/s.exec(text)?.[1] ?? '';
  expect(unit).toContain('\nOOMPolicy=continue\n');
  const most = Number(/^MemoryMax=(\d+)G$/m.exec(unit)?.[1]) * 1024;
  expect(most).toBeGreaterThanOrEqual(readSettings({}, {}).IMPORT_HEAP_MB + 1024);
});
