import type { IncomingMessage } from 'node:http';
import { badRequest, Failure, refusal } from '../../../lib/errors.ts';
import type { Sender } from '../../../lib/http/request.ts';

const MOST = 1024 * 1024 + 1; // bytes; one more than a body may have, which is enough to refuse it
const MB = 2 ** 20;

/** Limits of bodies. */
export interface BodyLimits {
  readonly all: number; // bytes of all bodies in memory while they arrive
  readonly site: number; // bytes of those for one site
  readonly user: number; // bytes of those of one user
  readonly silence: number; // ms without a byte, after which a body has ended
  readonly whole: number; // ms for a whole body
}

export const BODY_LIMITS: BodyLimits = { all: 64 * MB, site: 32 * MB, user: 16 * MB, silence: 5_000, whole: 30_000 };
const DRAINED = 64 * MB; // bytes read and discarded after an answer, so that the client reads it

const NOTHING = Buffer.alloc(0);

/** The body of one request. */
interface RequestBody {
  /**
   * Returns the body, or the first `MOST` bytes of a larger one. Rejects if the client leaves, with `request_timeout`
   * if it is too slow, and with `unavailable` if the budget or the sender's share of it is used up.
   */
  read(sender: Sender): Promise<Buffer>;
  /** Gives the body's bytes back to the budget. To be called once the request is answered or its client has left. */
  release(): void;
}

/** Reads the bodies of requests within one budget for all that are in memory. */
export interface Bodies {
  of(request: IncomingMessage): RequestBody;
  /** The bytes that bodies hold now. */
  held(): number;
  /** Whether a body that arrives now could be refused, whoever sends it. */
  isUsedUp(): boolean;
}

/**
 * Reads bodies within `limits`. Bytes are counted as they arrive, not as they are announced: a client that announces
 * much and sends little takes little. They count until the request is answered, as a body waits for its site's turn.
 */
export function createBodies(limits: Partial<BodyLimits> = {}): Bodies {
  const { all, site: ofSite, user: ofUser, silence, whole } = { ...BODY_LIMITS, ...limits };
  const held = new Map<string, number>(); // bytes by site, by user, and of all under the empty name
  const now = (name: string): number => held.get(name) ?? 0;

  const add = (names: readonly string[], bytes: number): void => {
    for (const name of names) {
      const sum = now(name) + bytes;
      if (sum > 0) held.set(name, sum);
      else held.delete(name);
    }
  };

  function of(request: IncomingMessage): RequestBody {
    let names: readonly string[] = [];
    let size = 0; // bytes, counted for `names`

    const fits = (bytes: number): boolean =>
      [all, ofSite, ofUser].every((limit, index) => now(names[index] ?? '') + bytes <= limit);

    const readWhole = (): Promise<Buffer> =>
      new Promise((resolve, reject) => {
        const parts: Buffer[] = [];
        // A body that has arrived with its head needs no clock.
        const timers = (request.complete ? [] : [silence, whole]).map((ms) =>
          setTimeout(() => end('request_timeout'), ms),
        );
        const take = (part: Buffer): void => {
          timers[0]?.refresh();
          if (!fits(part.length)) {
            end('unavailable');
            return;
          }
          add(names, part.length);
          parts.push(part);
          size += part.length;
          if (size >= MOST) end();
        };
        const end = (fault?: keyof typeof FAULTS): void => {
          for (const timer of timers) clearTimeout(timer);
          request.off('data', take).off('close', leave);
          if (!request.readableEnded) request.pause();
          if (fault === undefined) resolve(Buffer.concat(parts).subarray(0, MOST));
          else reject(FAULTS[fault]());
        };
        const leave = (): void => end('bad_request');
        if (request.destroyed) return leave(); // its events have passed
        request
          .on('data', take)
          .on('end', () => end())
          .on('close', leave)
          .on('error', () => undefined); // 'close' follows
      });

    return {
      async read({ site, login }) {
        if (!hasBody(request)) return NOTHING;
        names = ['', site, `${site}\n${login}`];
        return readWhole();
      },
      release() {
        add(names, -size);
        size = 0;
      },
    };
  }

  return {
    of,
    held: () => now(''),
    isUsedUp: () => now('') + MOST > all,
  };
}

/** Why a body is not read to its end. */
const FAULTS = {
  bad_request: () => badRequest('The body ended before all of it arrived.'),
  request_timeout: () => refusal('request_timeout', 'The body stopped arriving, or took too long in all.'),
  unavailable: () => new Failure('unavailable', { headers: { 'Retry-After': '1' } }),
};

/** Whether a request announces a body. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;

/** Limits of a body that is read as it arrives. */
interface StreamLimits {
  readonly silence: number; // ms without a byte
  readonly whole: number; // ms for all of it
  readonly rate: number; // bytes a second at least, on average since it began
  readonly start: number; // ms before the rate counts
}

export const STREAM: StreamLimits = { silence: 60_000, whole: 2 * 3_600_000, rate: 8 * 1024, start: 60_000 };

/**
 * A request's body as it arrives. Throws if the client leaves, sends nothing for a while, or sends so slowly that it
 * would hold the site's turn of imports for nothing. A caller that stops reading can still send a reply.
 */
export async function* readStream(
  request: IncomingMessage,
  limits: Partial<StreamLimits> = {},
): AsyncGenerator<Uint8Array> {
  const { silence, whole, rate, start } = { ...STREAM, ...limits };
  const begun = performance.now();
  let size = 0;
  let isLate = false;
  request.socket.setTimeout(silence, () => request.destroy());
  const watch = setInterval(
    () => {
      const took = performance.now() - begun;
      isLate = took > whole || (took > start && size < (rate * took) / 1000);
      if (isLate) request.destroy();
    },
    Math.min(start, 5_000),
  );
  try {
    for await (const part of request.iterator({ destroyOnReturn: false })) {
      size += part.length;
      yield part;
    }
  } catch (error) {
    throw request.destroyed || isLate ? FAULTS.bad_request() : error; // a client that leaves is no fault of the service
  } finally {
    clearInterval(watch);
    request.socket.setTimeout(0);
  }
}

/**
 * Reads and discards what a client still sends after its answer, within bounds: many clients read no reply before they
 * have sent everything. Returns at once if the client has left.
 */
export function drain(
  request: IncomingMessage,
  { silence, whole }: Pick<BodyLimits, 'silence' | 'whole'> = BODY_LIMITS,
): Promise<void> {
  let size = 0;
  return new Promise((resolve) => {
    if (request.destroyed || request.complete) return resolve();
    const end = (): void => {
      for (const timer of timers) clearTimeout(timer);
      resolve();
    };
    const timers = [silence, whole].map((ms) => setTimeout(end, ms));
    request
      .on('data', (part: Buffer) => {
        timers[0]?.refresh();
        size += part.length;
        if (size > DRAINED) end();
      })
      .on('error', () => undefined)
      .on('end', end)
      .on('close', end)
      .resume();
  });
}
