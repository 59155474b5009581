import { groupBy } from '../../group-by.ts';
import type { SourceTells } from '../../history/sources.ts';
import { ALL_TELLINGS, TELLINGS, type Telling } from '../../vocabulary.ts';
import { type FieldName, needsOf } from './fields.ts';

/** What the history does not tell of a field. */
interface NoData {
  readonly sentence: string;
  readonly everywhere: boolean; // no source tells it; false: some do not
}

const MOST_NAMED = 3; // sources in a sentence

/** Returns what the sources of a site do not tell of a field; null if they tell all of it, or nobody knows. */
export function noDataOn(field: FieldName, told: readonly SourceTells[] | undefined): NoData | null {
  const needs = needsOf(field);
  if (told === undefined || needs.length === 0) return null;
  const lacking = (tells: ReadonlySet<Telling>): Telling[] => needs.filter((each) => !tells.has(each));
  const nowhere = lacking(new Set(told.flatMap(({ tells }) => tells)));
  if (nowhere.length > 0) return { sentence: `No data on ${listed(nowhere)} in your files.`, everywhere: true };
  const partly = [...byExport(told)].flatMap(([name, tells]) => {
    const missing = lacking(tells);
    return missing.length === 0 ? [] : [{ name, missing }];
  });
  if (partly.length === 0) return null;
  const missing = ALL_TELLINGS.filter((each) => partly.some((one) => one.missing.includes(each)));
  const names = partly.slice(0, MOST_NAMED).map(({ name }) => name);
  const others = partly.length - names.length;
  const where = [...names, ...(others > 0 ? [`${others} more`] : [])];
  return {
    sentence: `No data on ${listed(missing)} in ${joined(where)}; the other sources tell it.`,
    everywhere: false,
  };
}

/** What each export tells: the files of a pack, `fivetran-zendesk:ticket` and so on, tell together. */
function byExport(told: readonly SourceTells[]): Map<string, ReadonlySet<Telling>> {
  const groups = groupBy(told, ({ name }) => name?.split(':')[0] ?? 'the files without a source');
  return new Map([...groups].map(([name, parts]) => [name, new Set(parts.flatMap(({ tells }) => tells))]));
}

const listed = (tellings: readonly Telling[]): string => joined(tellings.map((each) => TELLINGS[each]));

const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
