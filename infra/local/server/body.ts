import type { IncomingMessage } from 'node:http';
import { Failure } from '../../../lib/errors.ts';

const MOST = 1024 * 1024 + 1; // bytes; one more than a body may have, which is enough to refuse it
const BUDGET = 64 * 1024 * 1024; // bytes of all bodies being read at a time
const DRAINED = 64 * 1024 * 1024; // bytes read and discarded after a refusal, so that the client reads the reply

const NOTHING = Buffer.alloc(0);

/** Reads the bodies of requests within one budget for all that are in memory. */
export interface Bodies {
  /** Returns a request's body, or the first `MOST` bytes of a larger one. Rejects if the client leaves. */
  read(request: IncomingMessage): Promise<Buffer>;
}

/**
 * Reads bodies while all of them fit in `budget` bytes; beyond that it throws `unavailable`, which asks the client to
 * retry.
 */
export function createBodies(budget = BUDGET): Bodies {
  let left = budget; // bytes

  return {
    async read(request) {
      const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
      if (encoding === undefined && Number(length ?? 0) === 0) return NOTHING;
      const asked = Math.min(MOST, Number(length ?? MOST));
      if (asked > left) throw new Failure('unavailable', { headers: { 'Retry-After': '1' } });
      left -= asked;
      try {
        return await readBody(request);
      } finally {
        left += asked;
      }
    },
  };
}

function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const take = (part: Buffer): void => {
      parts.push(part);
      size += part.length;
      if (size < MOST) return;
      request.off('data', take).pause();
      resolve(Buffer.concat(parts).subarray(0, MOST));
    };
    request
      .on('data', take)
      .on('end', () => resolve(Buffer.concat(parts)))
      .on('error', reject)
      .on('close', () => {
        if (!request.complete) reject(new Failure('bad_request')); // else an error per request, with its stack
      });
  });
}

/**
 * A request's body as it arrives. Throws if the client leaves or sends nothing for `silence` ms. A caller that stops
 * reading can still send a reply.
 */
export async function* readStream(request: IncomingMessage, silence: number): AsyncGenerator<Uint8Array> {
  request.socket.setTimeout(silence, () => request.destroy());
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } finally {
    request.socket.setTimeout(0);
  }
}

/**
 * Reads and discards what a refused client still sends, within bounds: many clients read no reply before they have sent
 * everything.
 */
export function drain(request: IncomingMessage): Promise<void> {
  let size = 0;
  return new Promise((resolve) => {
    request
      .on('data', (part: Buffer) => {
        size += part.length;
        if (size > DRAINED) resolve();
      })
      .on('error', () => undefined)
      .on('end', resolve)
      .on('close', resolve)
      .resume();
  });
}
