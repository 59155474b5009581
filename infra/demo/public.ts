import { listSites } from '../../lib/access/sites.ts';
import { listUsers } from '../../lib/access/users.ts';
import type { Table } from '../../lib/store/table.ts';
import { Fault } from '../fault.ts';
import { isLoopback } from '../loopback.ts';
import { isDemoUser } from './users.ts';

/**
 * Throws a `Fault` if the service would be reachable from other machines while it has demo users, whose password
 * everybody knows (docs/interface.md).
 */
export async function refusePublicDemo(table: Table, host: string): Promise<void> {
  if (isLoopback(host)) return;
  for (const { site } of await listSites(table)) {
    if (!(await listUsers(table, site.name)).some(isDemoUser)) continue;
    throw new Fault(
      `HOST=${host} would let others in as the demo users, whose password everybody knows: remove them first (npx support user remove --site ${site.name} --demo), or keep HOST=127.0.0.1.`,
    );
  }
}
