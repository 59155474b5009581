import { ImportFault } from './import-fault.ts';
import { Mapping, type RuleSpec, type TimeSpec } from './mapping.ts';
import { carriesOffset, timeReader } from './times.ts';

/** Parses a mapping file (docs/import.md). Throws `ImportFault` with one sentence that names the place in it. */
export function parseMapping(text: string, file: string): Mapping {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, '')); // editors put a byte order mark there
  } catch (error) {
    throw new ImportFault(`${file} is not JSON (${error instanceof Error ? error.message : error}): correct it.`);
  }
  const { data, error } = Mapping.safeParse(json);
  if (error === undefined) return checkedTimes(data, file);
  const [issue] = error.issues;
  const place = issue?.path.join('.') || 'the whole';
  const what = issue?.message.endsWith('received undefined') ? 'is missing' : issue?.message;
  throw new ImportFault(`${file}, at ${place}: ${what}. docs/import.md lists what a mapping can say.`);
}

/** Compiles every time of a mapping once, so that a wrong format or zone is found before the file is read. */
function checkedTimes(mapping: Mapping, file: string): Mapping {
  for (const { path, spec } of timesOf(mapping)) {
    const formats = [spec.format ?? mapping.time.format ?? 'iso'].flat();
    const zone = spec.zone ?? mapping.time.zone;
    try {
      timeReader(formats, zone);
    } catch (error) {
      if (error instanceof ImportFault) throw new ImportFault(`${file}, at ${path.join('.')}: ${error.message}`);
      throw error;
    }
    const bare = formats.find((format) => format !== 'iso' && !carriesOffset(format));
    if (zone === undefined && bare !== undefined) {
      throw new ImportFault(
        `${file}, at ${path.join('.')}: the time format "${bare}" has no offset, so name a zone, for example "time": {"zone": "UTC"}.`,
      );
    }
  }
  return mapping;
}

type PlacedTime = { readonly path: readonly string[]; readonly spec: TimeSpec };

function timesOf(mapping: Mapping): PlacedTime[] {
  const found: PlacedTime[] = [{ path: ['at'], spec: mapping.at }];
  if (mapping.created?.at) found.push({ path: ['created', 'at'], spec: mapping.created.at });
  if (mapping.kind !== 'activities') return found;
  const { activities, otherwise } = mapping;
  const others = typeof otherwise === 'string' ? [] : timesOfRules(['otherwise'], otherwise);
  const named = Object.entries(activities).flatMap(([name, rules]) => timesOfRules(['activities', name], rules));
  return [...found, ...named, ...others];
}

const timesOfRules = (above: readonly string[], rules: readonly RuleSpec[]): PlacedTime[] =>
  rules.flatMap((rule) => {
    const times = { at: rule.at, ...(rule.type === 'case.handled' ? { from: rule.from, to: rule.to } : {}) };
    return Object.entries(times).flatMap(([key, spec]) => (spec ? [{ path: [...above, key], spec }] : []));
  });
