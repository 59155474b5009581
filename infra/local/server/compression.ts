import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { putLast } from '../../../lib/put-last.ts';

const SMALLEST = 1024; // bytes; compressing smaller bodies gains nothing (docs/interface.md)
const deflate = promisify(gzip);
const REMEMBERED = 16; // bodies
const LARGEST_REMEMBERED = 262_144; // characters of one

/** The last bodies as they were compressed: what many clients get, such as the numbers behind a link, is packed once. */
const packed = new Map<string, Promise<Buffer>>();

function packedOnce(text: string): Promise<Buffer> {
  if (text.length > LARGEST_REMEMBERED) return deflate(text);
  const bytes = packed.get(text) ?? deflate(text);
  putLast(packed, text, bytes, REMEMBERED);
  return bytes;
}

/** Whether `Accept-Encoding` accepts gzip (RFC 9110, 12.5.3): by name with a weight above 0, or by `*`. */
function acceptsGzip(header: string | undefined): boolean {
  const weights = new Map<string, number>();
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(coding, weight === undefined ? 1 : Number(weight) || 0);
  }
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}

/** A body as sent, with the headers that describe it. */
interface EncodedBody {
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string | number>>;
}

/** Compresses a body if it is large enough and the client accepts gzip. */
export async function compress(text: string, acceptEncoding: string | undefined): Promise<EncodedBody> {
  const length = Buffer.byteLength(text);
  if (length <= SMALLEST || !acceptsGzip(acceptEncoding)) return { body: text, headers: { 'Content-Length': length } };
  const body = await packedOnce(text);
  return { body, headers: { 'Content-Encoding': 'gzip', 'Content-Length': body.length } };
}
