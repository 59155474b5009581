import * as z from 'zod';
import { RATINGS } from '../access/site-fields.ts';

/** Raised when the same data would give other files. */
export const FILES_FORMAT = 8;

const file = z.object({
  path: z.string(), // relative to the warehouse, with `/`
  rows: z.int(),
  bytes: z.int(),
  digest: z.string(), // of the rows: equal digests need no new file
  columns: z.array(z.int()).readonly().optional(), // bytes of each column of `facts`, in the order of the table
});

/** What the views of a site's reports depend on, beside its files. */
const reports = z.object({
  timeZone: z.string(),
  weekStart: z.int(), // 0 Monday … 6 Sunday
  rating: z.enum(RATINGS),
  listed: z.array(z.int()), // the custom fields whose values are members
  min: z.int(), // s, the first second that is counted
  max: z.int(), // s, exclusive
});

/** What files have: all that a history had with a version, under some reference data. */
const covered = z.object({
  version: z.int(), // of the history
  reference: z.string(), // digest
  promises: z.string().optional(), // digest of what verdicts on promises depend on; absent: some are of before
  facts: z.int(), // of the history, to tell how much a later one has more
});

type Covered = Readonly<z.infer<typeof covered>>;

const part = z.object({
  state: z.string(), // of all that its rows depend on, beside segments
  version: z.int(), // of the history as of which it was written: later commits may replace rows of it
  promises: z.string(), // digest of what its verdicts on promises depend on, beside the rest
  segments: z.array(z.tuple([z.int(), z.int()])), // ids and rows of those of which it has the rows, by place
});

const schema = z.object({
  format: z.int(),
  site: z.string(),
  exportedAt: z.int(), // epoch ms
  state: z.string(), // of all that the files depend on; equal states need no new export
  covered: covered.optional(), // absent: the export was killed
  reports: reports.optional(), // absent: written by an earlier version
  erased: z.int(), // version of the history with which the last erasure was done
  parts: z.record(z.string(), part),
  files: z.record(z.string(), file), // by table, month and part: `facts/2026-03/fresh`, `members/all`
  removed: z.record(z.string(), z.int()), // replaced files by path, with the epoch ms since when: a query may read them
});

/** What a site's part of a warehouse consists of: the files that count, all others are left of an export that died. */
export type SiteManifest = Readonly<z.infer<typeof schema>>;

/** A part of a history whose rows stand in files. */
export type StoredPart = Readonly<z.infer<typeof part>>;

export type ReportSettings = Readonly<z.infer<typeof reports>>;

export type WarehouseFile = Readonly<z.infer<typeof file>>;

/** Reads a manifest; undefined if there is none, or if it has the form of another version. */
export function parseManifest(text: string | undefined): SiteManifest | undefined {
  if (text === undefined) return undefined;
  try {
    const { data } = schema.safeParse(JSON.parse(text));
    return data?.format === FILES_FORMAT ? data : undefined;
  } catch {
    return undefined;
  }
}

export const MANIFESTS = 'manifests';

export const manifestPath = (site: string): string => `${MANIFESTS}/${site}.json`;

/** What the lists of a site have, which are replaced after its manifest is. */
export const listedPath = (site: string): string => `${MANIFESTS}/${site}.listed`;

/** Reads what lists have; undefined if nothing says. */
export function parseListed(text: string | undefined): Covered | undefined {
  if (text === undefined) return undefined;
  const { data } = covered.safeParse(JSON.parse(text));
  return data;
}

/** The parts that an export under way has written: the next one goes on from there if this one is killed. */
export const begunPath = (site: string): string => `${MANIFESTS}/${site}.begun`;
