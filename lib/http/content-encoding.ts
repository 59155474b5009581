import { pipeline } from 'node:stream';
import { createGunzip, gunzipSync } from 'node:zlib';
import { asSent, badRequest, type Failure, refusal, tooLargeBody } from '../errors.ts';
import type { Request } from './request.ts';

interface PackedRequest {
  readonly request: Pick<Request, 'headers' | 'query' | 'pairs' | 'readStream'>;
  readonly body: Buffer;
}

/**
 * A request's body and stream as they were before `Content-Encoding` (RFC 9110, 8.4): gzip or none. It is unpacked here,
 * once the request has its turn, so that what waits takes the memory that it was sent with. Throws
 * `unsupported_media_type` for any other coding, `payload_too_large` for a body that unpacks to more than `most` bytes,
 * and `bad_request` for one that is no gzip.
 */
export function unpacked({ request, body }: PackedRequest, most: number): PackedRequest {
  const coding = (request.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return { request, body };
  if (coding !== 'gzip' && coding !== 'x-gzip')
    throw refusal(
      'unsupported_media_type',
      `The body has the Content-Encoding ${asSent(coding)}; gzip is read, or none.`,
      {
        'Accept-Encoding': 'gzip',
      },
    );
  return {
    request: { ...request, readStream: () => unpackedStream(request.readStream()) },
    body: body.length === 0 ? body : unpackedBody(body, most),
  };
}

function unpackedBody(body: Buffer, most: number): Buffer {
  try {
    return gunzipSync(body, { maxOutputLength: most });
  } catch (error) {
    throw codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? tooLargeBody('The unpacked body', most) : noGzip();
  }
}

const noGzip = (): Failure => badRequest('The body is not packed as gzip, as its Content-Encoding says.');

async function* unpackedStream(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* pipeline(stream, createGunzip(), () => undefined);
  } catch (error) {
    throw String(codeOf(error)).startsWith('Z_') ? noGzip() : error;
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
