import * as z from 'zod';
import { ImportFault } from '../formats/import-fault.ts';
import { NOT_THERE, withLookupFiles } from '../formats/lookups.ts';
import type { Mapping } from '../formats/mapping.ts';
import { isPattern } from '../formats/mapping-values.ts';
import { parseMapping } from '../formats/parse-mapping.ts';

/** A file of an export that a pack knows. */
const Part = z.strictObject({
  name: z.string().min(1), // mappings look things up in it by this name
  file: z.string().refine(isPattern, 'is not a regular expression'), // of the file's whole name, in any case
  header: z.array(z.string()).default([]), // columns by which the file is recognised whatever its name
  mappings: z.array(z.record(z.string(), z.unknown())).default([]), // none: it is only looked up in
});

/** What a `pack.json` holds: files of one kind of export, in the order in which they are read. */
const Pack = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,40}$/),
  about: z.string(), // a sentence
  parts: z.array(Part).min(1),
});

export type Pack = z.output<typeof Pack>;
export type PackPart = z.output<typeof Part>;

/** The packs that come with the product. */
export const PACKS = [
  'fivetran-zendesk',
  'fivetran-jira',
  'fivetran-hubspot',
  'fivetran-intercom',
  'zendesk-tickets-csv',
  'freshdesk-tickets-csv',
  'servicenow-incidents',
] as const;

/** Parses a `pack.json` and all its mappings. `zone`: as for `parseMapping`. Throws `ImportFault` that names the place. */
export function parsePack(text: string, file: string, zone = 'UTC'): Pack {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new ImportFault(`${file} is not JSON (${error instanceof Error ? error.message : error}): correct it.`);
  }
  const { data, error } = Pack.safeParse(json);
  if (error !== undefined) {
    const [issue] = error.issues;
    throw new ImportFault(`${file}, at ${issue?.path.join('.') || 'the whole'}: ${issue?.message}.`);
  }
  for (const part of data.parts) mappingsOf(part, zone, file);
  return data;
}

/** The mappings of a part. */
export const mappingsOf = ({ name, mappings }: PackPart, zone: string, file: string): Mapping[] =>
  mappings.map((mapping) => parseMapping(JSON.stringify(mapping), `${file}, part ${name}`, zone));

type Rating = 'yes_no' | 'four_star';
const SCORES: Readonly<Record<Rating, Readonly<Record<string, number>>>> = {
  yes_no: { good: 1, bad: 0 },
  four_star: { good: 4, bad: 1 },
};

/** The pack for a site that rates so: "good" and "bad" in tables of ratings are its scores. */
export const ratedPack = (pack: Pack, rating: Rating): Pack => ({
  ...pack,
  parts: pack.parts.map((part) => ({
    ...part,
    mappings: part.mappings.map((mapping) => z.record(z.string(), z.unknown()).parse(rated(mapping, SCORES[rating]))),
  })),
});

/** Ratings stand at `csat` in mappings, and at `score` in the events of activities. */
function rated(value: unknown, scores: Readonly<Record<string, number>>, isRating = false): unknown {
  if (typeof value === 'string') return isRating ? (scores[value] ?? value) : value;
  if (Array.isArray(value)) return value.map((inner) => rated(inner, scores));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isTable = isRating && key === 'table' && typeof inner === 'object' && inner !== null;
      if (isTable)
        return [
          key,
          Object.fromEntries(Object.entries(inner).map(([text, score]) => [text, rated(score, scores, true)])),
        ];
      return [key, typeof inner === 'string' ? inner : rated(inner, scores, key === 'csat' || key === 'score')];
    }),
  );
}

/** A part with the file that is there for it. */
export interface FoundPart {
  readonly part: PackPart;
  readonly path: string;
}

/** Which of some files are which part of a pack. Throws `ImportFault` where two are one, or none is any. */
export function findParts(pack: Pack, paths: readonly string[], baseName: (path: string) => string): FoundPart[] {
  const found = pack.parts.flatMap((part) => {
    const expression = new RegExp(`^(?:${part.file})$`, 'iu');
    const [path, other] = paths.filter((one) => expression.test(baseName(one)));
    if (other !== undefined) {
      throw new ImportFault(`${path} and ${other} are both the ${part.name} of ${pack.name}: keep one of them.`);
    }
    return path === undefined ? [] : [{ part, path }];
  });
  if (found.some(({ part }) => part.mappings.length > 0)) return found;
  const names = pack.parts.map(({ name }) => name).join(', ');
  throw new ImportFault(`No file of ${pack.name} was found: it looks for files named ${names}.`);
}

/** The mappings of a found part, with the files in which they look things up. Throws `ImportFault` where one is missing. */
export function readyMappings(pack: Pack, { part }: FoundPart, found: readonly FoundPart[], zone: string): Mapping[] {
  return mappingsOf(part, zone, pack.name).map((mapping) =>
    withLookupFiles(ownSource(mapping, `${pack.name}:${part.name}`), ({ file: name, optional }) => {
      const file = found.find((other) => other.part.name === name)?.path;
      if (file !== undefined) return file;
      if (optional) return NOT_THERE;
      throw new ImportFault(`${pack.name} needs the file ${name}, because its ${part.name} looks things up in it.`);
    }),
  );
}

/** Ids of events of two files about one ticket must not meet. */
const ownSource = (mapping: Mapping, source: string): Mapping =>
  mapping.kind === 'members' || mapping.source !== '' ? mapping : { ...mapping, source };
