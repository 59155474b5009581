import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { type BodyLimits, createBodies, drain, readStream } from '../../../../infra/local/server/body.ts';
import { tries } from '../../../support/generators/depth.ts';

const ANN = { site: 'acme', login: 'ann@acme.example' };
const BOB = { site: 'acme', login: 'bob@acme.example' };
const EVE = { site: 'other', login: 'eve@other.example' };

/** A request that announces a body and sends what a test writes. */
function coming(length = 1_000_000): PassThrough & IncomingMessage {
  const stream = new PassThrough();
  stream.on('end', () => Object.assign(stream, { complete: true }));
  const message = { headers: { 'content-length': String(length) }, complete: false };
  return Object.assign(stream, message) as unknown as PassThrough & IncomingMessage;
}

/** Lets what was sent arrive. */
const arrive = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the budget of bodies', () => {
  it('counts what has arrived and not what was announced, until the request is answered', async () => {
    const bodies = createBodies({ all: 1_000 });
    const slow = Array.from({ length: 100 }, () => coming());
    const reading = slow.map((request) =>
      bodies
        .of(request)
        .read(EVE)
        .catch((error) => error.kind),
    );
    for (const request of slow) request.write('x');
    await arrive();
    expect(bodies.held()).toBe(100);
    const request = coming(3);
    const body = bodies.of(request);
    const read = body.read(ANN);
    request.end('abc');
    expect([String(await read), bodies.held()]).toEqual(['abc', 103]);
    body.release();
    body.release();
    expect(bodies.held()).toBe(100);
    for (const request of slow) request.destroy();
    expect(new Set(await Promise.all(reading))).toEqual(new Set(['bad_request']));
  });

  it.each<[string, Partial<BodyLimits>, readonly boolean[]]>([
    ['of all', { all: 1_500 }, [false, false, false]],
    ['of a site', { site: 1_500 }, [false, false, true]],
    ['of a user', { user: 1_500 }, [false, true, true]],
  ])('refuses what exceeds the share %s, and no other', async (_, limits, expected) => {
    const bodies = createBodies(limits);
    const first = coming();
    const held = bodies
      .of(first)
      .read(ANN)
      .catch(() => undefined);
    first.write('x'.repeat(1_000));
    await arrive();
    for (const [index, sender] of [ANN, BOB, EVE].entries()) {
      const request = coming();
      const body = bodies.of(request);
      const read = body.read(sender).then(
        () => true,
        ({ kind, headers }) => kind !== 'unavailable' || headers['Retry-After'] !== '1',
      );
      request.end('y'.repeat(1_000));
      expect(await read).toBe(expected[index]);
      body.release();
    }
    expect(bodies.held()).toBe(1_000);
    first.destroy();
    await held;
  });

  it('says when it is used up', async () => {
    const bodies = createBodies({ all: 2 ** 20 + 1 });
    expect(bodies.isUsedUp()).toBe(false);
    const request = coming();
    const body = bodies.of(request);
    const read = body.read(ANN).catch(() => undefined);
    request.write('x');
    await arrive();
    expect(bodies.isUsedUp()).toBe(true);
    request.destroy();
    await read;
    body.release();
    expect(bodies.isUsedUp()).toBe(false);
  });

  it.each<[string, Partial<BodyLimits>]>([
    ['silent', { silence: 20 }],
    ['not whole in time', { whole: 20 }],
  ])('ends a body that is %s', async (_, limits) => {
    const bodies = createBodies(limits);
    const request = coming();
    const body = bodies.of(request);
    const read = body.read(ANN);
    request.write('x');
    await expect(read).rejects.toMatchObject({ kind: 'request_timeout' });
    body.release();
    expect(bodies.held()).toBe(0);
  });

  it('is whole again after any mixture of bodies, whenever their clients leave', async () => {
    const visit = fc.record({
      sender: fc.constantFrom(ANN, BOB, EVE),
      parts: fc.array(fc.integer({ min: 1, max: 700 }), { maxLength: 4 }),
      leaves: fc.constantFrom('before', 'during', 'after', 'never'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(visit, { maxLength: 8 }), async (visits) => {
        const bodies = createBodies({ all: 3_000, site: 2_000, user: 1_000 });
        await Promise.all(
          visits.map(async ({ sender, parts, leaves }) => {
            const request = coming();
            const body = bodies.of(request);
            if (leaves === 'before') {
              request.destroy();
              await arrive();
            }
            const read = body.read(sender).catch(() => undefined);
            for (const size of parts) {
              if (!request.destroyed) request.write('x'.repeat(size));
              await arrive();
            }
            if (leaves === 'during') request.destroy();
            else if (!request.destroyed) request.end();
            await read; // never hangs
            if (leaves === 'after') request.destroy();
            body.release();
          }),
        );
        expect(bodies.held()).toBe(0);
      }),
      { numRuns: tries(50, 1 / 4) },
    );
  });
});

describe('what is read after an answer', () => {
  it('ends at once for a client that has left, and for one that sent everything', async () => {
    const left = coming();
    left.destroy();
    await arrive();
    await drain(left);
    await drain(Object.assign(coming(), { complete: true }));
  });

  it.each([
    { silence: 20, whole: 10_000 },
    { silence: 10_000, whole: 20 },
  ])('ends past %j', async (limits) => {
    const request = coming();
    request.write('x');
    await drain(request, limits);
  });
});

describe('a body that is read as it arrives', () => {
  const read = async (request: IncomingMessage, limits: Parameters<typeof readStream>[1]) => {
    let size = 0;
    for await (const part of readStream(request, limits)) size += part.length;
    return size;
  };
  const streaming = () => {
    const request = coming();
    const iterator = () => request[Symbol.asyncIterator]();
    return Object.assign(request, { socket: { setTimeout: () => undefined }, iterator });
  };

  it('ends when it drips, and when it takes too long in all, however steadily it comes', async () => {
    for (const limits of [
      { start: 40, rate: 1_000_000 },
      { start: 40, rate: 1, whole: 80 },
    ]) {
      const request = streaming();
      const drips = setInterval(() => request.write('xy'), 10);
      await expect(read(request as never, limits)).rejects.toMatchObject({ kind: 'bad_request' });
      clearInterval(drips);
    }
  });

  it('is read whole at the least rate or faster', async () => {
    const request = streaming();
    const sending = read(request as never, { start: 20, rate: 100 });
    for (let part = 0; part < 8; part += 1) {
      request.write('x'.repeat(1_000));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    request.end();
    expect(await sending).toBe(8_000);
  });
});
