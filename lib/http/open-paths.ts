import { FAILURES } from '../errors.ts';
import { keys } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import { etagOf, type Reply } from './reply.ts';
import type { Service } from './service.ts';

/**
 * What GET answers without a site or credentials (docs/interface.md); `document` returns the OpenAPI JSON. `hasRoom` tells
 * whether the table takes further writes.
 */
export function openPaths(
  table: Table,
  document: () => Promise<string>,
  hasRoom: () => boolean = () => true,
): Service['open'] {
  return {
    '/health': async () => {
      await table.get(keys.defaultSite());
      if (!hasRoom()) return diskFull;
      return answer(JSON.stringify({ status: 'ok' }));
    },
    '/openapi.json': async ({ origin }) => answer(withServer(await document(), origin)),
  };
}

/** Reads go on, writes do not. */
const diskFull: Reply = {
  status: FAILURES.unavailable.status,
  body: JSON.stringify({ message: FAILURES.unavailable.message, status: 'disk full' }),
  headers: { 'Retry-After': '60' },
};

/** The address of the service in the document as it is written; who reads it over HTTP is told the real one. */
export const OWN_SERVER = '/';

/** The document with the address that it was asked for at. Behind API Gateway without a domain that has the stage in it. */
const withServer = (document: string, origin: string): string =>
  document.replace(/("servers":\s*\[\s*\{\s*"url":\s*)"\/"/, (_, before: string) => before + JSON.stringify(origin));

const answer = (body: string): Reply => ({ status: 200, body, headers: { ETag: etagOf(body) } });
