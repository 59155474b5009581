import { ImportFault } from '../formats/import-fault.ts';
import { carriesOffset, mayCarryOffset, timeReader } from '../language/times.ts';
import { Mapping, type WrittenMapping } from './mapping.ts';
import type { RuleSpec } from './mapping-rules.ts';
import type { TimeSpec } from './mapping-values.ts';

/**
 * Parses a mapping file (docs/import/mappings.md). `zone` is the default zone for the kind `tickets`. Throws `ImportFault` with
 * one sentence that names the file and the key.
 */
export const parseMapping = (text: string, file: string, zone?: string): Mapping =>
  readMapping(jsonOf(text.replace(/^\uFEFF/, ''), file), file, zone); // some editors write a byte order mark

/** Reads what a mapping file says, as `parseMapping` does. */
export function readMapping(fields: unknown, file: string, zone?: string): Mapping {
  const { data, error } = Mapping.safeParse(fields);
  if (error === undefined) return checkedTimes(withZone(data, zone), file);
  const [issue] = error.issues;
  const place = issue?.path.join('.') || 'the top level';
  const what = issue?.message.endsWith('received undefined') ? 'is missing' : issue?.message;
  throw new ImportFault(`${file}, at ${place}: ${what}. docs/import/mappings.md lists what a mapping can say.`);
}

/** Reads JSON that a person wrote; throws `ImportFault` with one sentence that names the file. */
export function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ImportFault(`${file} is not JSON (${error instanceof Error ? error.message : error}): correct it.`);
  }
}

/** A mapping that was written here, with what is as usual. `zone`: as for `parseMapping`. */
export const completeMapping = (written: WrittenMapping, zone?: string): Mapping =>
  withZone(Mapping.parse(written), zone);

const withZone = (mapping: Mapping, zone: string | undefined): Mapping =>
  mapping.kind !== 'tickets' || zone === undefined || mapping.time.zone !== undefined
    ? mapping
    : { ...mapping, time: { ...mapping.time, zone } };

/** Compiles every time of a mapping once, so that a wrong format or zone is found before the file is read. */
function checkedTimes(mapping: Mapping, file: string): Mapping {
  compileTime(['iso'], mapping.time.zone, `${file}, at time.zone`);
  for (const { path, spec } of timesOf(mapping)) {
    const formats = [spec.format ?? mapping.time.format ?? 'iso'].flat();
    const zone = spec.zone ?? mapping.time.zone;
    compileTime(formats, zone, `${file}, at ${path.join('.')}`);
    const bare = formats.find((format) => !mayCarryOffset(format) && !carriesOffset(format));
    if (zone === undefined && bare !== undefined) {
      throw new ImportFault(
        `${file}, at ${path.join('.')}: the time format "${bare}" has no offset, so name a zone, for example "time": {"zone": "UTC"}.`,
      );
    }
  }
  return mapping;
}

/** Compiles formats and zone of a time; the `ImportFault` for a wrong one names the place. */
function compileTime(formats: readonly string[], zone: string | undefined, place: string): void {
  try {
    timeReader(formats, zone);
  } catch (error) {
    if (error instanceof ImportFault) throw new ImportFault(`${place}: ${error.message}`);
    throw error;
  }
}

type PlacedTime = { readonly path: readonly string[]; readonly spec: TimeSpec };

function timesOf(mapping: Mapping): PlacedTime[] {
  if (mapping.kind === 'members' || mapping.kind === 'tickets') {
    const keys = [
      ...(['created', 'replied', 'assigned', 'solved', 'closed'] as const),
      ...(['ended_when', 'updated', 'as_of', 'updated_at'] as const),
    ];
    const times: Partial<Record<(typeof keys)[number], TimeSpec | 'unknown' | undefined>> = mapping;
    return keys.flatMap((key) => {
      const spec = times[key];
      return spec && spec !== 'unknown' ? [{ path: [key], spec }] : [];
    });
  }
  const found: PlacedTime[] = [{ path: ['at'], spec: mapping.at }];
  if (mapping.as_of) found.push({ path: ['as_of'], spec: mapping.as_of });
  if (mapping.created?.at) found.push({ path: ['created', 'at'], spec: mapping.created.at });
  if (mapping.kind === 'messages' && mapping.call_end) found.push({ path: ['call_end'], spec: mapping.call_end });
  if (mapping.kind !== 'activities') return found;
  const { activities, otherwise } = mapping;
  const others = typeof otherwise === 'string' ? [] : timesOfRules(['otherwise'], otherwise);
  const named = Object.entries(activities).flatMap(([name, rules]) => timesOfRules(['activities', name], rules));
  return [...found, ...named, ...others];
}

const timesOfRules = (above: readonly string[], rules: readonly RuleSpec[]): PlacedTime[] =>
  rules.flatMap((rule) => {
    const times = { at: rule.at, ...(rule.type === 'case.handled' && { from: rule.from, to: rule.to }) };
    return Object.entries(times).flatMap(([key, spec]) => (spec ? [{ path: [...above, key], spec }] : []));
  });
