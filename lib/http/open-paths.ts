import { FAILURES } from '../errors.ts';
import { keys } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import { etagOf, type Reply } from './reply.ts';
import type { Service } from './service.ts';

/**
 * The paths that GET answers without a site or credentials (docs/interface.md). `document` returns the OpenAPI JSON;
 * `trouble` says in two words what is wrong though the table answers, such as `disk full`; undefined if nothing is.
 */
export function openPaths(
  table: Table,
  document: () => Promise<string>,
  trouble: () => string | undefined | Promise<string | undefined> = () => undefined,
): Service['open'] {
  return {
    '/health': async () => {
      await table.get(keys.defaultSite());
      const status = await trouble();
      return status === undefined ? answer(JSON.stringify({ status: 'ok' })) : refusal(status);
    },
    '/openapi.json': async ({ origin }) => answer(withServer(await document(), origin)),
  };
}

/** The reply when something is wrong; reads may still work. */
const refusal = (status: string): Reply => ({
  status: FAILURES.unavailable.status,
  body: JSON.stringify({ message: FAILURES.unavailable.message, status }),
  headers: { 'Retry-After': '60' },
});

/** The server's address in the stored document; over HTTP it is replaced by the real one. */
export const OWN_SERVER = '/';

/** The document with the address of the request; behind API Gateway without a domain it includes the stage. */
const withServer = (document: string, origin: string): string =>
  document.replace(/("servers":\s*\[\s*\{\s*"url":\s*)"\/"/, (_, before: string) => before + JSON.stringify(origin));

const answer = (body: string): Reply => ({ status: 200, body, headers: { ETag: etagOf(body) } });
