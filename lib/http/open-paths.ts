import { keys } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import { etagOf, type Reply } from './reply.ts';
import type { Service } from './service.ts';

/** What GET answers without a site or credentials (docs/interface.md); `document` gives the OpenAPI JSON. */
export function openPaths(table: Table, document: () => Promise<string>): Service['open'] {
  return {
    '/health': async () => {
      await table.get(keys.defaultSite());
      return answer(JSON.stringify({ status: 'ok' }));
    },
    '/openapi.json': async ({ origin }) => answer(withServer(await document(), origin)),
  };
}

/** The address of the service in the document as it is written; who reads it over HTTP is told the real one. */
export const OWN_SERVER = '/';

/** The document with the address that it was asked for at. Behind API Gateway without a domain that has the stage in it. */
const withServer = (document: string, origin: string): string =>
  document.replace(/("servers":\s*\[\s*\{\s*"url":\s*)"\/"/, (_, before: string) => before + JSON.stringify(origin));

const answer = (body: string): Reply => ({ status: 200, body, headers: { ETag: etagOf(body) } });
