import { randomUUID } from 'node:crypto';
import { serve } from '../../../lib/http/serve.ts';
import { routes } from '../../../lib/routes.ts';
import { LIMITS } from '../../../lib/settings.ts';
import { throughEdge } from './edge.ts';
import { tableAt } from './table-at.ts';

/**
 * A process of the service that sends itself REQUESTS requests, one after the other, at a fixed time: `limit-worker.ts
 * TABLE HOST AUTHORIZATION TIME REQUESTS`. It prints the number of replies by status, and the write units of all.
 */
const [table = '', host = '', authorization = '', time = '', requests = ''] = process.argv.slice(2);
let writeUnits = 0;
const handler = serve({
  routes,
  open: {},
  table: tableAt(table),
  log: (_level, _message, details) => {
    writeUnits += Number(details?.writeUnits ?? 0);
  },
  clock: () => Number(time),
  newId: randomUUID,
  ...LIMITS,
});
const headers = { Authorization: authorization };
const request = { method: 'GET', target: '/api/v2/users/me', headers, body: Buffer.alloc(0), host };
const counts: Record<string, number> = {};
for (let at = 0; at < Number(requests); at += 1) {
  const { status } = await throughEdge(handler, request);
  counts[status] = (counts[status] ?? 0) + 1;
}
process.stdout.write(`${JSON.stringify({ counts, writeUnits })}\n`);
process.exit(0);
