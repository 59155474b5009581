import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Anything JSON can say as bytes. */
export const deflateJson = (value: unknown): Uint8Array => deflateRawSync(JSON.stringify(value));

/** What `deflateJson` wrote. */
export const inflateJson = (bytes: Uint8Array): unknown => JSON.parse(inflateRawSync(bytes).toString());
