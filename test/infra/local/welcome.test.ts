import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEMO_PASSWORD, demoLogin } from '../../../infra/demo/users.ts';
import { basic } from '../../support/service/credentials.ts';
import { run, startProgram, withFolder } from '../../support/service/program.ts';

describe('a first start', () => {
  it('makes the demo site, prints a report that answers with rows, and keeps the demo users at home', async () => {
    await withFolder(async (folder) => {
      const service = await startProgram(folder, { DEMO: '1' });
      const [, request = ''] = /-d '(.*)'/.exec(service.out()) ?? [];
      const headers = { Authorization: basic(demoLogin('Administrator'), DEMO_PASSWORD) };
      const reply = await fetch(`${service.url}/api/v2/insights3/reports`, { method: 'POST', headers, body: request });
      expect(reply.status).toBe(200);
      const report = Object(await reply.json());
      expect(report.data.length).toBeGreaterThan(8);

      const file = join(folder, 'request.json');
      await writeFile(file, request);
      const printed = await run(['report', file, '--site', 'demo', '--data-dir', folder, '--json']);
      expect([printed.status, JSON.parse(printed.out)]).toEqual([0, report]);
      await service.end('SIGTERM');

      const refused = await run(['start', '--data-dir', folder], { env: { HOST: '0.0.0.0', PORT: '0' } });
      expect([refused.status, refused.out]).toEqual([1, '']);
      expect(refused.err).toContain('support user remove --site demo --demo');
      expect((await run(['user', 'remove', '--site', 'demo', '--demo', '--data-dir', folder])).status).toBe(0);
      const open = await (await startProgram(folder, { HOST: '0.0.0.0', DEMO: '1' })).end('SIGTERM');
      expect(open.err).toContain('listens beyond this machine without TLS');
    });
  });
});
