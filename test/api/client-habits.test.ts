import { routes } from '../../lib/routes.ts';
import { type Received, startService } from '../support/service/service.ts';

const { ask, origin } = await startService(routes);
const TOPICS = '/api/v2/topics';
const REPORTS = '/api/v2/insights3/reports';

const create = (name: string): Promise<Received> => ask('POST', TOPICS, { body: { name } });
const hrefOf = ({ body }: Received): string => body._links.self.href;

/** Programs written for the original service come unchanged; each habit here is one of a real client. */
describe('what existing clients do', () => {
  it('sends `null` as the body of every GET and DELETE (JavaScript)', async () => {
    const topic = hrefOf(await create('Null'));
    expect((await ask('GET', topic, { body: 'null' })).body).toMatchObject({ name: 'Null' });
    expect((await ask('DELETE', topic, { body: 'null' })).status).toBe(204);
  });

  it('sends an empty list for an empty object, and POST with an override for PATCH and DELETE (PHP)', async () => {
    const topic = hrefOf(await create('Override'));
    const override = (method: string, body?: string) =>
      ask('POST', topic, { ...(body && { body }), headers: { 'X-HTTP-Method-Override': method } });
    expect((await override('PATCH', '[]')).body).toMatchObject({ name: 'Override' });
    expect((await override('PATCH', '{"name":"Overridden"}')).body).toMatchObject({ name: 'Overridden' });
    expect((await override('DELETE')).status).toBe(204);
  });

  it('sends JSON under a form type, or under none (PHP, Go)', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await ask('POST', TOPICS, { body: { name: 'Form' }, headers: form })).status).toBe(201);
    expect((await create('No type')).status).toBe(201);
  });

  it('follows Location to what it has just created, and the last part of its self link as its id (Go, Java)', async () => {
    const made = await create('Located');
    const shown = await ask('GET', made.headers.location?.slice(origin.length) ?? '');
    expect(shown.body).toEqual(made.body);
    expect(Number(hrefOf(made).split('/').at(-1))).toBe(made.body.id);
  });

  it('asks for pages of a thousand everywhere, and of two by their next links (Ruby)', async () => {
    const whole = (await ask('GET', `${TOPICS}?page=1&per_page=1000`)).body;
    const walked: unknown[] = [];
    let next: string | undefined = `${TOPICS}?embed=articles&per_page=2`;
    while (next !== undefined) {
      const page: Received = await ask('GET', next);
      walked.push(...page.body._embedded.entries);
      next = page.body._links.next?.href;
    }
    expect(walked).toEqual(whole._embedded.entries);
    expect(walked).toHaveLength(whole.total_entries);
  });

  it('sends back what it was shown with its changes, links and all (Python)', async () => {
    const { body } = await create('Round trip');
    const sent = { ...body, description: 'Changed', position: 1, id: 0 };
    const reply = await ask('PATCH', body._links.self.href, { body: sent });
    expect(reply.body).toEqual({ ...body, description: 'Changed' });
  });

  it('caches lists and asks again with their tag (Java)', async () => {
    const first = await ask('GET', TOPICS);
    expect(first.headers['cache-control']).toBe('no-cache, private');
    const headers = { 'If-None-Match': first.headers.etag ?? '' };
    expect((await ask('GET', TOPICS, { headers })).status).toBe(304);
    await create('Newer');
    expect((await ask('GET', TOPICS, { headers })).body.total_entries).toBe(first.body.total_entries + 1);
  });

  it('sends times of nanoseconds and reads them as RFC 3339, windows as date and time (Go)', async () => {
    const time = {
      min: '2026-03-01T10:30:00.123456789Z',
      max: '2026-03-01T12:00:00.999999999+01:00',
      window_size: 'hour',
    };
    const { body } = await ask('POST', REPORTS, { body: { fields: ['case_creates'], time } });
    expect(body.request.time).toMatchObject({ min: '2026-03-01T10:30:00+00:00', max: '2026-03-01T11:00:00+00:00' });
    expect(body.data).toEqual([['2026-03-01 10:00:00', null, null, 0]]);
  });

  it('reads ids at the sixth place of every echoed filter, and sends null for none (Go)', async () => {
    const time = { min: '2026-03-01T00:00:00Z', max: '2026-03-02T00:00:00Z', window_size: 'none' };
    const filters = [
      [['Include', 'Labels', [{ id: '1', name: 'Urgent' }]]],
      [['Exclude', 'Agents', 'Is', '', false, null]],
    ];
    const { body } = await ask('POST', REPORTS, { body: { fields: ['case_creates'], time, filters } });
    expect(body.request.filters).toEqual([
      [['Include', 'Labels', 'Is', '', false, [{ id: '1' }]]],
      [['Exclude', 'Agents', 'Is', '', false, []]],
    ]);
  });

  it('sends null for a group of filters without conditions (Go)', async () => {
    const time = { min: '2026-03-01T00:00:00Z', max: '2026-03-02T00:00:00Z', window_size: 'none' };
    const reply = await ask('POST', REPORTS, { body: { fields: ['case_creates'], time, filters: [null] } });
    expect([reply.status, reply.body.request.filters]).toEqual([200, [[]]]);
  });
});
