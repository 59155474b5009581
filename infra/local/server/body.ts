import type { IncomingMessage } from 'node:http';
import { Failure } from '../../../lib/errors.ts';

const MOST = 1024 * 1024 + 1; // bytes: one more than a body may have is enough to refuse it
const BUDGET = 64 * 1024 * 1024; // bytes of all bodies that are being read
const DRAINED = 64 * 1024 * 1024; // bytes read on after that, so that the client gets to read the refusal

const NOTHING = Buffer.alloc(0);

/** Reads the bodies of requests, within one budget for all that are in memory at a time. */
export interface Bodies {
  /** A request's body, or no more of it than is needed to see that it is too large. Rejects where the client leaves. */
  read(request: IncomingMessage): Promise<Buffer>;
}

/** Bodies are taken as long as all of them fit `BUDGET`; beyond that, `unavailable` asks the client to come again. */
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
      .on('close', () => reject(new Failure('bad_request')));
  });
}

/**
 * A request's body as it comes. Throws where the client leaves or is silent for so many ms; who stops reading can still
 * answer.
 */
export async function* readStream(request: IncomingMessage, silence: number): AsyncGenerator<Uint8Array> {
  request.socket.setTimeout(silence, () => request.destroy());
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } finally {
    request.socket.setTimeout(0);
  }
}

/** Reads on what a refused client still sends, within bounds, and forgets it: many read no answer before they have sent all. */
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
