import type { OAuthKeyStore } from '../access/oauth/oauth-keys.ts';
import { badRequest, Failure, notFound, tooLargeBody, tooManyRequests, wrongMethod } from '../errors.ts';
import { siteOfHost } from '../http/caller.ts';
import type { Reply } from '../http/reply.ts';
import { noContent } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import { isJsonObject, parsedJson } from '../json.ts';
import { keys } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import { type ConnectionSecrets, openConnection, readConnection } from './connection.ts';
import { ringMessage, type SendPull } from './due.ts';
import { dropRings, listRings, MOST_RINGS } from './rings.ts';
import { sameText } from './signatures.ts';
import { vendorOf } from './vendors/vendors.ts';

const PATH = /^\/api\/v2\/doorbells\/([^/]+)\/?$/;
const LARGEST = 1024 * 1024; // bytes of a body
const LATE = 300_000; // ms between a ring and its arrival
const MINUTE = 60_000; // ms
const MOST = 600; // rings a minute
const FOREVER = 7_258_118_400; // s, 2200: the counters stay
const COUNTED = 64; // rings between two counts of what waits

/** What doorbells need. */
interface DoorbellTools {
  readonly table: Table;
  readonly keyStore: OAuthKeyStore;
  readonly clock: () => number; // epoch ms
  readonly newId: () => string;
  readonly wake?: SendPull; // has the case fetched; absent: somebody looks each second
}

/**
 * Answers the doorbells of help desks, which sign no one in: verified, the id of the case noted, answered. A body is
 * trusted for nothing but that id. Undefined for every other path. Throws `not_found`, `unauthorized`, `bad_request`,
 * `payload_too_large` and `too_many_requests`.
 */
export function createDoorbell(tools: DoorbellTools): (request: Request) => Promise<Reply | undefined> {
  const { table, clock } = tools;
  let count = 0;
  let opened: { readonly change: string; readonly secrets: ConnectionSecrets | undefined } | undefined;
  return async (request) => {
    const [, key] = PATH.exec(request.path) ?? [];
    if (key === undefined) return undefined;
    if (request.method !== 'POST') throw wrongMethod(request.method, request.path, 'POST');
    const site = await siteOfHost(table, request.host);
    const connection = site && (await readConnection(table, site.name));
    if (site === undefined || connection === undefined || connection.removing || !sameText(key, connection.doorbell))
      throw notFound('such doorbell');
    const now = clock();
    const minute = Math.floor(now / MINUTE);
    const rung = await table.add(keys.ringMinute(site.name, minute), { count: 1 }, Math.ceil(now / 1000) + 3_600);
    if (Number(rung.count) > MOST)
      throw tooManyRequests(
        `The doorbell rang more than ${MOST} times in a minute.`,
        Math.max(1, Math.ceil(((minute + 1) * MINUTE - now) / 1000)),
      );
    const body = await request.readBody({ site: site.name, login: '' });
    if (body.length > LARGEST) throw tooLargeBody('The body', LARGEST);
    if (opened?.change !== connection.change)
      opened = { change: connection.change, secrets: await openConnection(tools.keyStore, site.name, connection) };
    const secret = opened.secrets?.webhook;
    const { signed, sentAt, caseOf } = vendorOf(connection.system).proof;
    const header = (name: string): string => request.headers[name] ?? '';
    const isRight = typeof secret === 'string' && secret !== '' && signed(body, header, secret);
    if (!isRight || (sentAt !== undefined && !(Math.abs(sentAt(header) - now) <= LATE))) {
      await table.add(keys.connection(site.name, 'doorbell'), { refused: 1 }, FOREVER);
      throw new Failure('unauthorized');
    }
    const parsed = parsedJson(body.toString());
    if (!isJsonObject(parsed)) throw badRequest('The body is no JSON object.');
    await table.add(keys.connection(site.name, 'doorbell'), { rung: 1 }, FOREVER);
    const named = caseOf(parsed);
    const id = typeof named === 'number' || typeof named === 'string' ? String(named) : '';
    if (!/^[1-9]\d{0,15}$/.test(id)) return noContent;
    await table.put({ ...keys.connection(site.name, 'rung'), at: now });
    await table.put({ ...keys.ring(site.name, id), mark: tools.newId() });
    if (!connection.paused) await tools.wake?.(...ringMessage(site.name, connection.id, now));
    count += 1;
    if (count % COUNTED === 0 && (await listRings(table, site.name, MOST_RINGS + 1)).length > MOST_RINGS) {
      await dropRings(table, site.name); // the pull finds all of these
      await table.put({ ...keys.connection(site.name, 'wish'), mark: tools.newId() });
    }
    return noContent;
  };
}
