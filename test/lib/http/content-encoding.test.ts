import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { deflateSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import { R_WRITE } from '../../../lib/access/roles.ts';
import { show } from '../../../lib/http/reply.ts';
import { route } from '../../../lib/http/route.ts';
import { serve } from '../../../lib/http/serve.ts';
import { LIMITS } from '../../../lib/settings.ts';
import { toEvent } from '../../support/service/edge.ts';
import { addUser, newSite, tokenOf } from '../../support/service/service.ts';
import { freshTable } from '../../support/service/table.ts';

/** Bodies as a server takes them that hands them over as they were sent. */

const common = { summary: '', roles: R_WRITE, reads: () => [], success: 200 } as const;
const table = await freshTable();
const site = await newSite(table, { name: 'packed' });
await addUser(table, site.name, 'Administrator');
const handler = serve({
  routes: [
    route({
      ...common,
      name: 'keep',
      method: 'POST',
      path: '/api/v2/kept',
      body: { text: z.string() },
      handle: ({ fields }) => show({ text: fields.text?.length }),
    }),
    route({
      ...common,
      name: 'stream',
      method: 'POST',
      path: '/api/v2/streamed',
      streams: true,
      handle: async ({ stream }) => {
        const parts: Uint8Array[] = [];
        for await (const part of stream()) parts.push(part);
        return show({ text: Buffer.concat(parts).toString() });
      },
    }),
  ],
  open: {},
  table,
  log: () => undefined,
  clock: Date.now,
  newId: randomUUID,
  ...LIMITS,
});

async function send(target: string, coding: string | undefined, bytes: Buffer) {
  const headers = {
    Authorization: `Bearer ${tokenOf('Administrator')}`,
    ...(coding === undefined ? {} : { 'Content-Encoding': coding }),
  };
  const {
    statusCode,
    headers: sent,
    body,
  } = await handler(toEvent({ method: 'POST', target, headers, body: Buffer.alloc(0), host: 'packed.localhost' }), {
    readBody: async () => bytes,
    readStream: () => Readable.from([bytes.subarray(0, 9), bytes.subarray(9)]),
  });
  return { status: statusCode, accepts: sent?.['Accept-Encoding'], body: JSON.parse(body) };
}

const json = (length: number): Buffer => Buffer.from(JSON.stringify({ text: 'x'.repeat(length) }));
const TARGETS = ['/api/v2/kept', '/api/v2/streamed'] as const;

describe('a body with a content encoding', () => {
  it('is read where it is gzip or none, by whatever name', async () => {
    for (const coding of ['gzip', 'x-gzip', ' GZIP '])
      expect(await send('/api/v2/kept', coding, gzipSync(json(40)))).toMatchObject({ status: 200, body: { text: 40 } });
    for (const coding of [undefined, 'identity'])
      expect(await send('/api/v2/kept', coding, json(40))).toMatchObject({ status: 200, body: { text: 40 } });
    expect((await send('/api/v2/streamed', 'gzip', gzipSync(json(40)))).body.text).toBe(json(40).toString());
  });

  it('is refused where it is another one, with the one that is taken', async () => {
    for (const target of TARGETS)
      for (const coding of ['deflate', 'br', 'gzip, gzip', 'x'])
        expect(await send(target, coding, deflateSync(json(40)))).toMatchObject({ status: 415, accepts: 'gzip' });
  });

  it('is refused where it is no gzip, or ends early', async () => {
    for (const target of TARGETS)
      for (const bytes of [json(40), gzipSync(json(400)).subarray(0, 25)])
        expect([target, (await send(target, 'gzip', bytes)).status]).toEqual([target, 400]);
  });

  it('may unpack to as many bytes as a body that is sent as it is, and no more', async () => {
    const most = 1024 * 1024 - json(0).length;
    expect((await send('/api/v2/kept', 'gzip', gzipSync(json(most)))).status).toBe(200);
    expect((await send('/api/v2/kept', 'gzip', gzipSync(json(most + 1)))).status).toBe(413);
    expect((await send('/api/v2/kept', 'gzip', gzipSync(json(200 * most)))).status).toBe(413);
  });
});
