import { routes } from '../../lib/routes.ts';
import { itInProcess, startService } from '../support/service/service.ts';

itInProcess('users with known passwords sign in through the hosts of this machine alone', async () => {
  const site = { hosts: ['test.localhost', 'help.example.com'] };
  const { ask } = await startService(routes, { site, wiring: { isGuarded: () => true } });
  const at = async (host: string) => (await ask('GET', '/api/v2/users/me', { host })).status;
  for (const host of ['test.localhost', 'localhost', '127.0.0.1', '[::1]', '127.9.9.9', 'localhost:3000'])
    expect(await at(host)).toBe(200);
  for (const host of ['rebound.example', 'help.example.com', 'localhost.evil.example', '127.0.0.1.nip.io'])
    expect(await at(host)).toBe(401);
});
