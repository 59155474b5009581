import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Returns a JSON value as deflated bytes. */
export const deflateJson = (value: unknown): Uint8Array => deflateRawSync(JSON.stringify(value));

/** Reads the bytes of `deflateJson`. */
export const inflateJson = (bytes: Uint8Array): unknown => JSON.parse(inflateRawSync(bytes).toString());
