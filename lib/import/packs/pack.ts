import { basename } from 'node:path';
import * as z from 'zod';
import { isJsonObject } from '../../json.ts';
import { ImportFault } from '../formats/import-fault.ts';
import { NO_LOOKUP_FILE, withLookupFiles } from '../mapping/lookups.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { patternText } from '../mapping/mapping-values.ts';
import { jsonOf, readMapping } from '../mapping/parse-mapping.ts';
import { compilePattern } from '../mapping/pattern.ts';

/** A file of an export, as its pack describes it. */
const PartSchema = z.strictObject({
  name: z.string().min(1), // the name under which mappings look values up in it
  file: patternText(), // matches the whole file name, without case
  header: z.array(z.string()).default([]), // columns by which the file is recognised, whatever its name
  lists_cases: z.boolean().default(false), // true: of a case in its rows, what another file says no more is gone
  mappings: z.array(z.record(z.string(), z.unknown())).default([]), // empty: other mappings only look values up in it
  /** Where the file of another part is missing that says how cases changed: fields of the first mapping for their present state. */
  without: z.strictObject({ part: z.string(), fields: z.record(z.string(), z.unknown()) }).optional(),
});

/** The content of a `pack.json`: the files of one kind of export, in the order in which they are read. */
const Pack = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,40}$/),
  about: z.string(), // what export it reads, for messages
  parts: z.array(PartSchema).min(1),
});

export type Pack = z.output<typeof Pack>;
export type PackPart = z.output<typeof PartSchema>;

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

/**
 * Parses a `pack.json` and all its mappings. `zone`: as for `parseMapping`. Throws `ImportFault` that names the key.
 */
export function parsePack(text: string, file: string, zone = 'UTC'): Pack {
  const { data, error } = Pack.safeParse(resolved(jsonOf(text, file), file));
  if (error !== undefined) {
    const [issue] = error.issues;
    throw new ImportFault(`${file}, at ${issue?.path.join('.') || 'the top level'}: ${issue?.message}.`);
  }
  for (const part of data.parts) {
    mappingsOf(part, zone, file);
    mappingsOf(presentPart(part, []), zone, file);
  }
  return data;
}

const DEFINITION = /^#\/\$defs\/(\w+)$/;

/** A pack in which each `{ "$ref": "#/$defs/NAME" }` is what its `$defs` say; a definition may use those before it. */
function resolved(pack: unknown, file: string): unknown {
  if (!isJsonObject(pack) || !isJsonObject(pack.$defs)) return pack;
  const { $defs, ...rest } = pack;
  const known = new Map<string, unknown>();
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (!isJsonObject(value)) return value;
    if (typeof value.$ref !== 'string')
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
    const [, name = ''] = DEFINITION.exec(value.$ref) ?? [];
    if (!known.has(name)) throw new ImportFault(`${file}: ${value.$ref} names nothing that stands before it in $defs.`);
    return known.get(name);
  };
  for (const [name, value] of Object.entries($defs)) known.set(name, resolve(value));
  return resolve(rest);
}

/** Parses the mappings of a part. */
export const mappingsOf = ({ name, mappings }: PackPart, zone: string, file: string): Mapping[] =>
  mappings.map((mapping) => readMapping(mapping, `${file}, part ${name}`, zone));

/** A part as it is read beside the files of others: with the present state of cases where none says how they changed. */
function presentPart(part: PackPart, others: readonly string[]): PackPart {
  const { without, mappings } = part;
  if (without === undefined || others.includes(without.part)) return part;
  return { ...part, mappings: mappings.map((mapping, at) => (at === 0 ? { ...mapping, ...without.fields } : mapping)) };
}

/** Whether some times of a pack are in the zone of the site or of the import: those of tickets without a zone. */
export const takesZone = ({ parts }: Pack): boolean =>
  parts.some((part) =>
    mappingsOf(part, 'UTC', '').some(
      (mapping, index) => mapping.kind === 'tickets' && !saysZone(part.mappings[index]?.time),
    ),
  );

const saysZone = (time: unknown): boolean => isJsonObject(time) && 'zone' in time;

type Rating = 'yes_no' | 'four_star';
const SCORES: Readonly<Record<Rating, Readonly<Record<string, number>>>> = {
  yes_no: { good: 1, bad: 0 },
  four_star: { good: 4, bad: 1 },
};

/** Adapts a pack to a site's rating: replaces "good" and "bad" in its tables of ratings by scores. */
export const ratedPack = (pack: Pack, rating: Rating): Pack => ({
  ...pack,
  parts: pack.parts.map((part) => ({
    ...part,
    mappings: part.mappings.map((mapping) => z.record(z.string(), z.unknown()).parse(rated(mapping, SCORES[rating]))),
  })), // `without` has no ratings
});

/** Replaces ratings in a mapping: those at `csat`, and at `score` in the events of activities. */
function rated(value: unknown, scores: Readonly<Record<string, number>>, isRating = false): unknown {
  if (typeof value === 'string') return isRating ? (scores[value] ?? value) : value;
  if (Array.isArray(value)) return value.map((inner) => rated(inner, scores));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (isRating && key === 'table' && isJsonObject(inner))
        return [
          key,
          Object.fromEntries(Object.entries(inner).map(([text, score]) => [text, rated(score, scores, true)])),
        ];
      return [key, typeof inner === 'string' ? inner : rated(inner, scores, key === 'csat' || key === 'score')];
    }),
  );
}

/** Returns a function that says whether a file has a name of this part; capital and small letters are the same. */
export function fileNames({ file }: Pick<PackPart, 'file'>): (name: string) => boolean {
  return compilePattern(`^(?:${file})$`, { anyCase: true }).matches;
}

/** A part and its file. */
export interface PartFile {
  readonly part: PackPart;
  readonly path: string;
}

/**
 * Finds the files of a pack's parts. Throws `ImportFault` if two files fit one part, or no file fits a part with
 * mappings.
 */
export function findParts(pack: Pack, paths: readonly string[]): PartFile[] {
  const files = pack.parts.flatMap((part) => {
    const named = fileNames(part);
    const [path, other] = paths.filter((one) => named(basename(one)));
    if (other !== undefined) {
      throw new ImportFault(`${path} and ${other} are both the ${part.name} of ${pack.name}: keep one of them.`);
    }
    return path === undefined ? [] : [{ part, path }];
  });
  const names = files.map(({ part }) => part.name);
  const found = files.map(({ part, path }) => ({ part: presentPart(part, names), path }));
  if (found.some(({ part }) => part.mappings.length > 0)) return found;
  const all = pack.parts.map(({ name }) => name).join(', ');
  throw new ImportFault(`No file of ${pack.name} was found: it looks for files named ${all}.`);
}

/**
 * Returns the mappings of a found part, with the paths of their look-up files. Throws `ImportFault` if one is missing.
 */
export function readyMappings(pack: Pack, { part }: PartFile, partFiles: readonly PartFile[], zone: string): Mapping[] {
  return mappingsOf(part, zone, pack.name).map((mapping) =>
    withLookupFiles(ownSource(mapping, `${pack.name}:${part.name}`), ({ file: name, optional }) => {
      const file = partFiles.find((other) => other.part.name === name)?.path;
      if (file !== undefined) return file;
      if (optional) return NO_LOOKUP_FILE;
      throw new ImportFault(`${pack.name} needs the file ${name}, because its ${part.name} looks things up in it.`);
    }),
  );
}

/** Gives a mapping a source of its own, so that ids of events of two files about one ticket never collide. */
const ownSource = (mapping: Mapping, source: string): Mapping =>
  mapping.kind === 'members' || mapping.source !== '' ? mapping : { ...mapping, source };
