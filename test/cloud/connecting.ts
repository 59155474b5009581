import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { startZammad } from '../support/desks/zammad-desk.ts';
import type { Checks } from './checks.ts';
import type { Client } from './client.ts';

const WITHIN = 180_000; // ms
const HOUR = 3_600_000; // ms

const made = z.object({ id: z.int(), doorbell: z.object({ url: z.string() }), webhook_secret: z.string() });
const shown = z.object({
  state: z.string(),
  as_of: z.string().nullable(),
  error: z.unknown(),
  backfill: z.object({ done: z.boolean(), cases: z.int() }),
  doorbell: z.object({ rung: z.int(), waiting: z.int() }),
});

/** Connects a help desk of this machine, as an emulator's functions may call it; rings, and disconnects it with its facts. */
export async function tryConnecting(checks: Checks, client: Client): Promise<void> {
  const desk = await startZammad();
  const now = Date.now();
  const whole = { min: '2000-01-01T00:00:00Z', max: '2100-01-01T00:00:00Z', window_size: 'none' };
  const creates = async (): Promise<number> =>
    Number((await client.report({ fields: ['case_creates'], time: whole }))[0]?.[0]);
  const show = async (id: number) => shown.parse(await client.get(`/api/v2/connections/${id}`));
  /** Waits until something holds; throws with what a connection shows if it never does. */
  const until = async (id: number, holds: (view: z.infer<typeof shown>) => boolean): Promise<void> => {
    for (const end = Date.now() + WITHIN; ; await sleep(500)) {
      const view = await show(id);
      if (holds(view)) return;
      if (Date.now() > end) throw new Error(JSON.stringify(view));
    }
  };
  try {
    desk.add(20, now - 72 * HOUR, now - 3 * HOUR);
    const before = await creates();
    const connection = await checks.step('a help desk is connected and pulled by the queue', async () => {
      const body = { system: 'zammad', url: desk.url, credentials: { token: 'right-token' } };
      const reply = made.parse(JSON.parse((await client.ask('POST', '/api/v2/connections', body)).text));
      await until(reply.id, ({ state, backfill }) => state === 'live' && backfill.cases === 20);
      const counted = await creates();
      if (counted !== before + 20) throw new Error(`${counted} cases count: ${before} before it, and 20 of its own`);
      return reply;
    });
    if (connection === undefined) return;
    await checks.step('a doorbell has its case fetched', async () => {
      desk.answer(1, Date.now());
      const ring = { ticket: { id: 1 } };
      const proof = createHmac('sha1', connection.webhook_secret).update(JSON.stringify(ring)).digest('hex');
      const target = connection.doorbell.url.replace(/^.*(?=\/api\/v2\/)/, '');
      desk.requests.length = 0;
      await client.ask('POST', target, ring, { 'X-Hub-Signature': `sha1=${proof}` });
      await until(connection.id, ({ doorbell }) => doorbell.rung === 1 && doorbell.waiting === 0);
      if (!desk.requests.some((request) => request.includes('/ticket_history/1'))) throw new Error('not fetched');
    });
    await checks.step('it is disconnected, and its facts go', async () => {
      await client.ask('DELETE', `/api/v2/connections/${connection.id}?facts=remove`);
      const end = Date.now() + WITHIN;
      while ((await creates()) !== before) {
        if (Date.now() > end) throw new Error('the facts are still there');
        await sleep(1_000);
      }
    });
  } finally {
    await desk.close();
  }
}
