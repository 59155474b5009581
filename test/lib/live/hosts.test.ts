import type { lookup } from 'node:dns';
import { gzipSync } from 'node:zlib';
import { openLine } from '../../../lib/live/call.ts';
import { deskUrl, isAllowedAddress } from '../../../lib/live/hosts.ts';
import { zammad } from '../../../lib/live/vendors/zammad.ts';
import { zendesk } from '../../../lib/live/vendors/zendesk.ts';
import { startDesk } from '../../support/desks/desk.ts';

const CLOUD = { loopback: false, private: false };
const OWN = { loopback: true, private: true };

describe('an address', () => {
  it.each([
    ...['169.254.169.254', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '0.0.0.0', '::', 'fe80::1', 'fe80::1%eth0'],
    ...[
      'fd00:ec2::254',
      '100.64.0.1',
      '224.0.0.1',
      'ff02::1',
      '255.255.255.255',
      '64:ff9b::a9fe:a9fe',
      '2002:a9fe:a9fe::',
    ],
    'no address',
  ])('never calls %s', (address) => {
    expect([isAllowedAddress(address, CLOUD), isAllowedAddress(address, OWN)]).toEqual([false, false]);
  });

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', 'fc00::1'])(
    'calls %s only where the server may',
    (address) => {
      expect([isAllowedAddress(address, CLOUD), isAllowedAddress(address, OWN)]).toEqual([false, true]);
    },
  );

  it.each(['93.184.216.34', '2606:2800:220:1::1'])('calls %s', (address) => {
    expect(isAllowedAddress(address, CLOUD)).toBe(true);
  });
});

describe('an address of a help desk', () => {
  it.each([
    ...[
      'http://2852039166',
      'http://0xa9fea9fe',
      'http://0251.0376.0251.0376',
      'https://[::ffff:a9fe:a9fe]',
      'https://127.1',
    ],
    ...['https://localhost', 'https://a.localhost', 'https://10.0.0.1'],
  ])('is not %s in the cloud', (url) => {
    expect(deskUrl(url, zammad.hosts, CLOUD)).toMatchObject({ fault: expect.any(String) });
  });

  it.each([
    'https://acme.zendesk.com.evil.example',
    'https://zendesk.com',
    'http://acme.zendesk.com',
    'https://acme.zendesk.com/api',
  ])('of Zendesk is not %s', (url) => {
    expect(deskUrl(url, zendesk.hosts, CLOUD)).toEqual({ fault: 'forbidden' });
  });

  it('is kept without the slash at its end', () => {
    expect(deskUrl('https://Acme.zendesk.com/', zendesk.hosts, CLOUD)).toBe('https://acme.zendesk.com');
    expect(deskUrl('https://help.acme.example/zammad/', zammad.hosts, CLOUD)).toBe('https://help.acme.example/zammad');
  });
});

describe('a call', () => {
  const calling = (url: string, own = { loopback: true, private: false }) => ({
    ...{ url, own, headers: {}, secrets: ['s3cret'], clock: Date.now, pause: async () => undefined },
  });

  it('judges the address at every connect, whatever the name was before', async () => {
    const desk = await startDesk(
      () => ({}),
      () => true,
    );
    const port = new URL(desk.url).port;
    const line = openLine(calling(`http://localhost:${port}`, { loopback: false, private: false }));
    await expect(line.get('x')).rejects.toMatchObject({ code: 'forbidden' });
    expect(desk.requests).toEqual([]);
    await desk.close();
  });

  it.each([
    ['link-local', ['169.254.169.254']],
    ['private', ['10.0.0.1']],
    ['nowhere', []],
  ])('goes to the address that was judged, and nowhere once its name leads to a %s one', async (_, second) => {
    const desk = await startDesk(
      () => ({}),
      () => true,
    );
    desk.headers = { connection: 'close' };
    const asked: string[] = [];
    // The first answer has a forbidden address first, and the allowed one; every later one is of the attacker.
    const resolve = ((name: string, _options: object, done: (...given: unknown[]) => void) => {
      asked.push(name);
      const addresses = asked.length === 1 ? ['169.254.169.254', '127.0.0.1'] : second;
      done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
    }) as unknown as typeof lookup;
    const { port } = new URL(desk.url);
    const line = openLine({ ...calling(`http://rebinds.example:${port}`), resolve });
    expect(await line.get('first')).toEqual({ value: {} });
    expect(asked).toEqual(['rebinds.example']); // once: the address that was judged is the one that is called
    await expect(line.get('second')).rejects.toMatchObject({ code: 'forbidden' });
    expect([desk.requests, asked.length]).toEqual([['GET /first'], 2]);
    await desk.close();
  });

  it('follows redirects within the help desk alone, and credentials go nowhere else', async () => {
    const other = await startDesk(
      () => ({}),
      () => true,
    );
    const desk = await startDesk(
      () => ({ here: true }),
      () => true,
    );
    const to = (location: string) => (url: URL) =>
      url.pathname === '/x' ? { status: 302, headers: { location } } : undefined;
    const line = openLine({ ...calling(desk.url), headers: { authorization: 'Bearer s3cret' } });
    for (const location of [
      other.url,
      'http://169.254.169.254/latest/meta-data',
      'https://127.0.0.1/x',
      'ftp://x',
      'http://[',
    ]) {
      desk.fault = to(location);
      await expect(line.get('x')).rejects.toMatchObject({ code: 'redirected' });
    }
    expect(other.requests).toEqual([]);
    desk.fault = to('/y');
    expect(await line.get('x')).toEqual({ value: { here: true } });
    desk.requests.length = 0;
    desk.fault = to('/x');
    await expect(line.get('x')).rejects.toMatchObject({ code: 'redirected' });
    expect(desk.requests).toHaveLength(4); // three are followed
    await Promise.all([desk.close(), other.close()]);
  });

  it.each([
    ['seconds', '90', 90_000],
    ['a date', new Date(1_800_000_090_000).toUTCString(), 90_000],
    ['a date that is over', new Date(1_700_000_000_000).toUTCString(), 1_000],
    ['a day', '86400', 3_600_000],
    ['nonsense', 'soon', 60_000],
  ])('waits after a 429 as long as %s say, an hour at most', async (_, after, wait) => {
    const desk = await startDesk(
      () => ({}),
      () => true,
    );
    desk.fault = () => ({ status: 429, headers: { 'retry-after': after } });
    const line = openLine({ ...calling(desk.url), clock: () => 1_800_000_000_000 });
    await expect(line.get('x')).rejects.toMatchObject({ code: 'limited', wait });
    expect(desk.requests).toHaveLength(1);
    await desk.close();
  });

  it.each([
    ['larger than 32 MiB', { text: Buffer.alloc(33 * 1024 * 1024, ' ') }],
    [
      'a small one that is as large unpacked',
      { text: gzipSync(Buffer.alloc(33 * 1024 * 1024, ' ')), headers: { 'content-encoding': 'gzip' } },
    ],
  ])('reads no answer that is %s', async (_, fault) => {
    const desk = await startDesk(
      () => ({}),
      () => true,
    );
    desk.fault = () => fault;
    await expect(openLine(calling(desk.url)).get('x')).rejects.toMatchObject({ code: 'too_large' });
    await desk.close();
  });

  it.each([
    ['5xx', { status: 503 }],
    ['a cut connection', { cut: true }],
    ['no byte for a while', { hangs: true }],
    ['what is packed wrongly', { text: 'no gzip', headers: { 'content-encoding': 'gzip' } }],
  ])('is tried three times after %s', async (_, fault) => {
    const desk = await startDesk(
      () => ({}),
      () => true,
    );
    desk.fault = () => fault;
    const paused: number[] = [];
    const pause = async (ms: number) => void paused.push(ms);
    const line = openLine({ ...calling(desk.url), pause, silence: 50 });
    await expect(line.get('x')).rejects.toMatchObject({ code: 'unreachable' });
    expect([desk.requests.length, paused]).toEqual([3, [1000, 2000]]);
    desk.fault = (__, count) => (count < 6 ? fault : undefined);
    expect(await line.get('x')).toEqual({ value: {} });
    await desk.close();
  });

  it('ends an answer that drips without an end', async () => {
    const desk = await startDesk(
      () => ({}),
      () => true,
    );
    desk.fault = () => ({ drips: true });
    const line = openLine({ ...calling(desk.url), silence: 10_000, longest: 300 });
    await expect(line.get('x')).rejects.toMatchObject({ code: 'unreachable' });
    await desk.close();
  });

  it('masks secrets and cuts control characters in what a help desk says', async () => {
    const desk = await startDesk(
      () => ({}),
      () => true,
    );
    desk.fault = () => ({ status: 401, text: JSON.stringify({ error: `bad\u0007 s3cret ${'x'.repeat(500)}` }) });
    const failure = await openLine(calling(desk.url))
      .get('x')
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'refused', message: expect.stringMatching(/401 bad *\*\*\* x+$/) });
    await desk.close();
  });

  it('ends an answer that never ends', async () => {
    const desk = await startDesk(
      () => ({}),
      () => true,
    );
    desk.fault = () => ({ hangs: true });
    const line = openLine({ ...calling(desk.url), longest: 200 });
    await expect(line.get('x')).rejects.toMatchObject({ code: 'unreachable' });
    await desk.close();
  });
});
