import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type EngineCalls, engineCalls } from '../../../../infra/local/table/engine-calls.ts';
import { ConditionFailed } from '../../../../lib/store/faults.ts';
import { type Item, openTable, type Table } from '../../../../lib/store/table.ts';
import { freshTable } from '../../../support/service/table.ts';

const opened: EngineCalls[] = [];
afterAll(() => {
  for (const calls of opened) calls.close();
});

function callsTo(endpoint: string): EngineCalls {
  const calls = engineCalls(endpoint);
  opened.push(calls);
  return calls;
}

/** One table, reached by the SDK and by calls of our own. */
async function twoWays(): Promise<{ readonly bySdk: Table; readonly table: Table }> {
  const bySdk = await freshTable();
  return { bySdk, table: openTable(callsTo(process.env.TEST_ENDPOINT ?? ''), bySdk.name) };
}

const bytesOf = (size: number): Uint8Array => Uint8Array.from({ length: size }, (_, place) => place * 7);
const key = (sk: string) => ({ pk: 'kinds', sk });
const ITEMS: readonly Item[] = [
  { ...key('bytes'), bytes: new Uint8Array([0, 1, 127, 128, 255]), none: new Uint8Array(0) },
  { ...key('numbers'), zero: 0, large: Number.MAX_SAFE_INTEGER, small: -1e-7 },
  { ...key('texts'), text: 'Grüße \u{1f600} "\\\n', empty: '', truth: true, nothing: null },
  { ...key('like bytes'), text: '{"B":"#0"}', B: '"B":"', more: '#0', bytes: new Uint8Array([9]) },
  { ...key('nested'), list: [1, 'a', [new Uint8Array([7])]], map: { B: 'text', S: new Uint8Array([8]) }, B: 'text' },
  {
    ...key('long'),
    ...Object.fromEntries([12_287, 12_288, 12_289, 40_000].map((size) => [`of ${size}`, bytesOf(size)])),
  },
];

/** A server that answers as told, and what it was asked. */
async function answering(answer: (attempt: number, response: ServerResponse) => void) {
  const bodies: string[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    answer(bodies.length, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const calls = callsTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { calls, bodies, end: () => server.close() };
}

describe('calls to the engine', () => {
  it('read what the SDK wrote, and write what the SDK reads', async () => {
    const { bySdk, table } = await twoWays();
    await bySdk.batchWrite(ITEMS.slice(0, 2).map((item) => ({ put: item })));
    await table.put(ITEMS[2]!);
    await table.transact(ITEMS.slice(3).map((item) => ({ put: item })));
    const keys = [...ITEMS, key('missing')].map(({ pk, sk }) => ({ pk, sk }));
    expect(await table.batchGet(keys)).toEqual([...ITEMS, undefined]);
    expect(await bySdk.batchGet(keys)).toEqual([...ITEMS, undefined]);
    for (const item of ITEMS) expect(await table.get(item)).toEqual(item);
    const attributes = ['text', 'B'];
    expect(await table.query('kinds', { attributes })).toEqual(await bySdk.query('kinds', { attributes }));
    expect(table.usage).toMatchObject({ readUnits: expect.any(Number), trips: expect.any(Number) });
  });

  it('read on where an answer ends before the items do', async () => {
    const { table } = await twoWays();
    const large = Array.from({ length: 30 }, (_, n) => ({
      ...key(`part#${n}`),
      bytes: Buffer.alloc(50_000, n),
    }));
    await table.batchWrite(large.map((item) => ({ put: item })));
    const found = await table.query('kinds');
    expect(new Map(found.map(({ sk, bytes }) => [sk, bytes]))).toEqual(
      new Map(large.map(({ sk, bytes }) => [sk, new Uint8Array(bytes)])),
    );
    const scanned: Item[] = [];
    for await (const page of table.scan()) scanned.push(...page);
    expect(scanned).toHaveLength(30);
  });

  it('say which condition did not hold, and what stood in the way', async () => {
    const { table } = await twoWays();
    await table.put(ITEMS[0]!);
    const refused = await table.put(ITEMS[0]!, { absent: true }, { tellItem: true }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConditionFailed);
    expect(refused).toMatchObject({ places: [0], item: ITEMS[0] });
    const cancelled = await table
      .transact([{ put: ITEMS[1]! }, { check: key('bytes'), when: { absent: true } }])
      .catch((error: unknown) => error);
    expect(cancelled).toMatchObject({ name: 'ConditionFailed', places: [1] });
    await expect(table.put({ pk: '', sk: '' })).rejects.toMatchObject({ name: 'ValidationException' });
  });

  it('are made again while the engine is not there or in trouble', async () => {
    const { calls, bodies, end } = await answering((attempt, response) => {
      if (attempt === 1) response.destroy();
      else if (attempt === 2) Object.assign(response, { statusCode: 500 }).end('no JSON');
      else response.end('{"Attributes":{}}');
    });
    await calls.transactWriteItems({ TransactItems: [] });
    end();
    expect(bodies).toHaveLength(3);
    expect(new Set(bodies).size).toBe(1);
    expect(JSON.parse(bodies[0]!)).toMatchObject({ ClientRequestToken: expect.any(String) });
  });

  it('are given up when that lasts, and not repeated where they were refused', async () => {
    const broken = await answering((_, response) => Object.assign(response, { statusCode: 503 }).end('later'));
    await expect(openTable(broken.calls, 'any').get(key('any'))).rejects.toMatchObject({ kind: 'unavailable' });
    broken.end();
    expect(broken.bodies.length).toBeGreaterThan(1);
    const refusing = await answering((_, response) =>
      Object.assign(response, { statusCode: 400 }).end('{"__type":"com.amazon#ValidationException","message":"wrong"}'),
    );
    await expect(openTable(refusing.calls, 'any').get(key('any'))).rejects.toThrow('wrong');
    refusing.end();
    expect(refusing.bodies).toHaveLength(1);
  });

  it('end with the fault of the network where nobody listens', async () => {
    const scanned = callsTo('http://127.0.0.1:1').scan({ TableName: 'any' });
    await expect(scanned).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
