import type { IncomingMessage } from 'node:http';

const MOST = 1024 * 1024 + 1; // bytes: one more than a body may have is enough to refuse it
const DRAINED = 64 * 1024 * 1024; // bytes read on after that, so that the client gets to read the refusal

const NOTHING = Buffer.alloc(0);

/** Reads a request's body, but no more than is needed to see that it is too large. Throws where the client leaves. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && Number(length ?? 0) === 0) return NOTHING;
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
      .on('close', () => reject(new Error('the client left')));
  });
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
