import { print } from '../figures.ts';
import { startBenchService } from '../service.ts';

/** Counts the round trips and the capacity units of warm requests, at the client of the table. */
export async function bench(): Promise<string> {
  const service = await startBenchService();
  try {
    const { ask, lines } = service;
    const topic = JSON.parse((await ask('POST', '/api/v2/topics', { name: 'Warm' })).body);
    for (let n = 0; n < 1000; n += 1) await ask('POST', '/api/v2/macros', { name: `Macro ${n}` });
    const list = await ask('GET', '/api/v2/macros?per_page=1000');
    const tag = { 'If-None-Match': String(list.headers?.ETag) };
    const report = {
      fields: ['case_creates'],
      time: { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z', window_size: 'day' },
    };
    await ask('POST', '/api/v2/insights3/reports', report);

    const asked = [
      ['read a topic', 1, () => ask('GET', `/api/v2/topics/${topic.id}`)],
      ['list 50 macros of 1,000', 1, () => ask('GET', '/api/v2/macros')],
      ['list 1,000 macros, current If-None-Match', 1, () => ask('GET', '/api/v2/macros?per_page=1000', undefined, tag)],
      ['create a topic', 2, () => ask('POST', '/api/v2/topics', { name: 'Next' })],
      ['update a topic', 2, () => ask('PATCH', `/api/v2/topics/${topic.id}`, { name: `Warm ${Math.random()}` })],
      [
        'report (no history; its tail is read with the segments)',
        3,
        () => ask('POST', '/api/v2/insights3/reports', report),
      ],
    ] as const;
    let over = 0;
    for (const [name, target, request] of asked) {
      await request();
      const { statusCode } = await request();
      const { trips, readUnits, writeUnits } = lines.at(-1) ?? { trips: 0, readUnits: 0, writeUnits: 0 };
      if (trips > target) over += 1;
      print(`${name}: ${statusCode}, ${trips} round trips (target ${target}), ${readUnits} RCU, ${writeUnits} WCU`);
    }
    return `${asked.length - over} of ${asked.length} requests within their round trips`;
  } finally {
    await service.end();
  }
}
