import { PACKS } from './packs/pack.ts';

/** The formats that are not packs; `OPENERS` of open-format.ts says how each is opened. */
export const PLAIN_FORMATS = ['ndjson', 'zendesk', 'csv'] as const;
export type PlainFormat = (typeof PLAIN_FORMATS)[number];

/** What `support import --format` and uploads take; on the command line a folder with a pack, too. */
export const FORMATS = [...PLAIN_FORMATS, ...PACKS] as const;

export const isPlainFormat = (format: string): format is PlainFormat => PLAIN_FORMATS.some((each) => each === format);
