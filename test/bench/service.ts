import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { openStore } from '../../infra/local/table/store.ts';
import { hashPassword } from '../../lib/access/passwords/passwords.ts';
import { NEW_SITE } from '../../lib/access/site-fields.ts';
import { type Handler, serve } from '../../lib/http/serve.ts';
import { routes } from '../../lib/routes.ts';
import { LIMITS } from '../../lib/settings.ts';
import { connect } from '../../lib/store/client.ts';
import { createTable } from '../../lib/store/create-table.ts';
import { openTable } from '../../lib/store/dynamodb.ts';
import type { Table } from '../../lib/store/table.ts';
import { startEngine } from '../support/service/engine.ts';
import { addSite, putUser } from '../support/service/stored-access.ts';

export const SITE = 'bench';
const HOST = 'bench.localhost';
const AUTHORIZATION = `Basic ${Buffer.from('bench@bench.example:bench').toString('base64')}`;

interface LogLine {
  readonly route?: string;
  readonly trips: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

export interface BenchService {
  readonly table: Table;
  readonly handler: Handler;
  readonly lines: LogLine[]; // one for each request
  ask(method: string, target: string, body?: unknown, headers?: Record<string, string>): Promise<APIGatewayProxyResult>;
  end(): Promise<void>;
}

/** A table, with a function that closes its store. */
export interface BenchTable {
  readonly table: Table;
  end(): Promise<void>;
}

/** Creates a table on the disk, as `npm start` does. */
async function localTable(): Promise<BenchTable> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const { table, close } = await openStore(folder);
  return {
    table,
    end: async () => {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Creates a table in an in-memory engine of its own, reached through the SDK; `endpoint` is the address of the engine.
 */
export async function engineTable(): Promise<BenchTable & { readonly endpoint: string }> {
  const engine = await startEngine();
  if (engine === undefined) throw new Error('there is no engine for this platform');
  const client = connect({ endpoint: engine.endpoint, local: true });
  await createTable(client, SITE);
  return { endpoint: engine.endpoint, table: openTable(client, SITE), end: async () => engine.end() };
}

/** Starts the service on a table, by default a local one, with one site and an administrator. */
export async function startBenchService(made?: BenchTable): Promise<BenchService> {
  const { table, end } = made ?? (await localTable());
  await addSite(
    table,
    { ...NEW_SITE, name: SITE, title: SITE, hosts: [HOST], locales: ['en_us', 'de'] },
    { default: true },
  );
  const password = await hashPassword('bench');
  await putUser(table, SITE, { login: 'bench@bench.example', role: 'Administrator', deleted: false, password }, true);
  const lines: LogLine[] = [];
  const handler = serve({
    routes,
    open: {},
    table,
    log: (_, message, details) => {
      if (message === 'request') lines.push(details as unknown as LogLine);
    },
    clock: Date.now,
    newId: randomUUID,
    ...LIMITS,
  });
  return {
    table,
    handler,
    lines,
    ask: (method, target, body, headers) => handler(toEvent(method, target, body, headers), {} as Context),
    end,
  };
}

/** An event as API Gateway would send it. */
export function toEvent(method: string, target: string, body?: unknown, headers = {}): APIGatewayProxyEvent {
  const [path = '', search = ''] = target.split('?');
  const query: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(search)) (query[name] ??= []).push(value);
  const event = {
    httpMethod: method,
    path,
    headers: { Host: HOST, Authorization: AUTHORIZATION, ...headers },
    multiValueQueryStringParameters: query,
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: { requestId: 'bench', domainName: HOST, path },
  };
  return event as unknown as APIGatewayProxyEvent;
}
