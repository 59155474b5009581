import { expect } from '@jest/globals';
import { routes } from '../../lib/routes.ts';
import { itInProcess, startService } from '../support/service/service.ts';

itInProcess('users with known passwords are reached at named and local hosts alone', async () => {
  const { ask } = await startService(routes, { wiring: { isGuarded: () => true } });
  const at = async (host: string) => (await ask('GET', '/api/v2/users/me', { host })).status;
  for (const host of ['test.localhost', 'localhost', '127.0.0.1', '[::1]', 'localhost:3000'])
    expect(await at(host)).toBe(200);
  for (const host of ['rebound.example', 'localhost.evil.example', '127.0.0.1.nip.io'])
    expect(await at(host)).toBe(401);
});
