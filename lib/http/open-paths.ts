import { keys } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import { etagOf, type Reply } from './reply.ts';
import type { Service } from './serve.ts';

/** What GET answers without a site or credentials (contract.md, Running it); `document` gives the OpenAPI JSON. */
export function openPaths(table: Table, document: () => Promise<string>): Service['open'] {
  return {
    '/health': async () => {
      await table.get(keys.defaultSite());
      return answer(JSON.stringify({ status: 'ok' }));
    },
    '/openapi.json': async () => answer(await document()),
  };
}

const answer = (body: string): Reply => ({ status: 200, body, headers: { ETag: etagOf(body) } });
