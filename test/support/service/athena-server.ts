import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Objects } from '../../../lib/store/objects.ts';
import { siteLists } from '../../../lib/warehouse/athena.ts';
import type { WarehouseTable } from '../../../lib/warehouse/tables.ts';
import { tableView } from '../../../lib/warehouse/views.ts';
import { inDuckdb, speakTrino, trinoTables } from '../oracle/trino-in-duckdb.ts';

/** A query that a stand-in of Athena was asked for. */
interface AskedQuery {
  readonly id: string;
  readonly token: string;
  readonly sql: string;
  state: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  reason?: string;
  isRetryable?: boolean;
}

/** What happens to the next query: it runs at once, waits until `finish`, or ends so. */
export type Fate = 'run' | 'RUNNING' | 'QUEUED' | { readonly fails: string; readonly isRetryable: boolean };

/** A stand-in of Athena on this machine. It runs each statement by DuckDB, over the files that the lists in a bucket name. */
export interface AthenaServer {
  readonly url: string; // for AWS_ENDPOINT_URL
  readonly queries: AskedQuery[];
  readonly bytes: number; // that each query is said to have read
  fates: Fate[]; // of the next queries; any further one runs
  throttled: number; // calls from now on that are too many
  lost: number; // calls from now on that are done, but whose answer gets lost
  /** Runs a query that waits. */
  finish(query: AskedQuery): Promise<void>;
  close(): Promise<void>;
}

/** A bucket with files that DuckDB reads. */
interface ReadBucket extends Pick<Objects, 'list' | 'read'> {
  readonly name?: string; // default: facts
  /** The file of an object on this machine. */
  pathOf(key: string): string | Promise<string>;
  put(key: string, content: string): Promise<void>;
}

const TABLES_READ = ['replaced', 'facts', 'verdicts', 'cases', 'hours'] as const satisfies readonly WarehouseTable[];

/** Returns a function that runs a query over the files of a bucket, and puts its rows there. */
function runnerOver(instance: DuckDBInstance, bucket: ReadBucket): (query: AskedQuery) => Promise<void> {
  return async (query) => {
    const connection = await instance.connect();
    try {
      const schema = `q${query.id.replaceAll('-', '')}`;
      await connection.run(`CREATE SCHEMA ${schema}; USE ${schema}`);
      await speakTrino(connection);
      for (const table of TABLES_READ) {
        const [, site = ''] = /\bsite = '((?:[^']|'')*)'/.exec(query.sql) ?? [];
        const folder = siteLists(table, site.replaceAll("''", "'"));
        const lists = (await bucket.list(`${folder}/`)).filter((key) => key.endsWith('symlink.txt'));
        const named = await Promise.all(lists.map(async (key) => (await bucket.read(key))?.text ?? ''));
        const files = named.join('').split('\n').filter(Boolean);
        const paths = await Promise.all(files.map(async (file) => bucket.pathOf(file.replace(addressOf(bucket), ''))));
        await connection.run(tableView(table, paths));
      }
      await trinoTables(connection, TABLES_READ);
      const found = await connection.runAndReadAll(inDuckdb(query.sql));
      const line = (cells: readonly unknown[]): string =>
        cells.map((cell) => (cell === null ? '' : `"${String(cell).replaceAll('"', '""')}"`)).join(',');
      const lines = [found.columnNames(), ...found.getRows()].map(line);
      await bucket.put(fileOf(query), lines.map((each) => `${each}\n`).join(''));
      query.state = 'SUCCEEDED';
    } catch (error) {
      query.state = 'FAILED';
      query.reason = String(error);
    } finally {
      connection.closeSync();
    }
  };
}

/** Starts one on a free port, over a bucket. */
export async function startAthena(bucket: ReadBucket): Promise<AthenaServer> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });

  const run = runnerOver(instance, bucket);

  async function start({ QueryString: sql, ClientRequestToken: token }: Record<string, string>): Promise<object> {
    const known = server.queries.find((query) => query.token === token);
    if (known && known.sql !== sql) throw new Error('Idempotent parameters do not match');
    const query = known ?? { id: randomUUID(), token: token ?? '', sql: sql ?? '', state: 'RUNNING' as const };
    if (known) return { QueryExecutionId: known.id };
    server.queries.push(query);
    const fate = server.fates.shift() ?? 'run';
    if (fate === 'run') await run(query);
    else if (typeof fate === 'string') Object.assign(query, { state: fate });
    else Object.assign(query, { state: 'FAILED', reason: fate.fails, isRetryable: fate.isRetryable });
    return { QueryExecutionId: query.id };
  }

  function execution(query: AskedQuery): object {
    const { id, state, reason, isRetryable } = query;
    return {
      QueryExecutionId: id,
      Status: { State: state, StateChangeReason: reason, ...(reason && { AthenaError: { Retryable: isRetryable } }) },
      Statistics: { DataScannedInBytes: server.bytes, TotalExecutionTimeInMillis: 1234 },
      ResultConfiguration: { OutputLocation: `${addressOf(bucket)}${fileOf(query)}` },
    };
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await text(request));
    if (server.throttled > 0) {
      server.throttled -= 1;
      return answer(response, 400, { __type: 'TooManyRequestsException', message: 'Rate exceeded' });
    }
    const query = server.queries.find(({ id }) => id === body.QueryExecutionId);
    const target = String(request.headers['x-amz-target']);
    const made = await doneBy(target, body, query).catch((error: Error) => error);
    if (server.lost > 0) {
      server.lost -= 1;
      response.destroy();
    } else if (made instanceof Error)
      answer(response, 400, { __type: 'InvalidRequestException', message: made.message });
    else answer(response, 200, made);
  }

  async function doneBy(target: string, body: Record<string, string>, query: AskedQuery | undefined): Promise<object> {
    if (target === 'AmazonAthena.StartQueryExecution') return start(body);
    if (query === undefined) throw new Error(`no query: ${target}`);
    if (target === 'AmazonAthena.GetQueryExecution') return { QueryExecution: execution(query) };
    if (query.state === 'RUNNING' || query.state === 'QUEUED') query.state = 'CANCELLED';
    return {};
  }

  const http = createServer((request, response) => void take(request, response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const server: AthenaServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    ...{ queries: [], bytes: 1_000, fates: [], throttled: 0, lost: 0 },
    finish: run,
    close: async () => {
      http.closeAllConnections();
      http.close();
      instance.closeSync();
    },
  };
  return server;
}

const addressOf = ({ name = 'facts' }: ReadBucket): string => `s3://${name}/`;

const fileOf = ({ id }: AskedQuery): string => `results/engine/${id}.csv`;

function answer(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
  response.end(JSON.stringify(value));
}
