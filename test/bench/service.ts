import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { hashPassword } from '../../lib/access/passwords.ts';
import { addSite, NEW_SITE } from '../../lib/access/sites.ts';
import { putUser } from '../../lib/access/users.ts';
import { type Handler, serve } from '../../lib/http/serve.ts';
import { routes } from '../../lib/routes.ts';
import { LIMITS } from '../../lib/settings.ts';
import { callsOf, tableCallsOf } from '../../lib/store/calls.ts';
import { connect } from '../../lib/store/client.ts';
import { createTable } from '../../lib/store/create-table.ts';
import { openTable, type Table } from '../../lib/store/table.ts';
import { startEngine } from '../support/service/engine.ts';

export const SITE = 'bench';
export const HOST = 'bench.localhost';
export const AUTHORIZATION = `Basic ${Buffer.from('bench@bench.example:bench').toString('base64')}`;

export interface LogLine {
  readonly route?: string;
  readonly trips: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

export interface BenchService {
  readonly endpoint: string; // of the engine
  readonly table: Table;
  readonly handler: Handler;
  readonly lines: LogLine[]; // one a request
  ask(method: string, target: string, body?: unknown, headers?: Record<string, string>): Promise<APIGatewayProxyResult>;
  end(): void;
}

/** The service on an engine of its own in memory, with one site and an administrator. */
export async function startBenchService(): Promise<BenchService> {
  const { endpoint, process: engine } = await startEngine();
  const client = connect({ endpoint, local: true });
  await createTable(tableCallsOf(client), SITE);
  const table = openTable(callsOf(client), SITE);
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
    endpoint,
    table,
    handler,
    lines,
    ask: (method, target, body, headers) => handler(toEvent(method, target, body, headers), {} as Context),
    end: () => void engine.kill('SIGKILL'),
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
