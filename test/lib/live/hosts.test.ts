import { openLine } from '../../../lib/live/call.ts';
import { deskUrl, isAllowedAddress } from '../../../lib/live/hosts.ts';
import { zammad } from '../../../lib/live/zammad.ts';
import { zendesk } from '../../../lib/live/zendesk.ts';
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
