import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Returns a JSON value as deflated bytes. */
export const deflateJson = (value: unknown): Uint8Array => deflateRawSync(JSON.stringify(value));

/** Returns the text of the bytes of `deflateJson`. */
export const inflateText = (bytes: Uint8Array): string => inflateRawSync(bytes).toString();

/** Reads the bytes of `deflateJson`. */
export const inflateJson = (bytes: Uint8Array): unknown => JSON.parse(inflateText(bytes));
