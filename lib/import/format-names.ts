import { PACKS } from './packs/pack.ts';

/** The formats that are not packs; `OPENERS` in open.ts opens them. */
const PLAIN_FORMATS = ['ndjson', 'zendesk', 'csv'] as const;
export type PlainFormat = (typeof PLAIN_FORMATS)[number];

/**
 * The formats that `support import --format` and uploads accept; the command line also accepts a folder with a pack.
 */
export const FORMATS = [...PLAIN_FORMATS, ...PACKS] as const;

export const isPlainFormat = (format: string): format is PlainFormat => PLAIN_FORMATS.some((each) => each === format);
