import { keys, type Partition, REFERENCE_KINDS } from '../../store/keys.ts';
import type { Item, Table } from '../../store/table.ts';

/**
 * Returns a pattern that finds texts as whole words, in any case, also where JSON escapes them; undefined without any
 * text that has a letter or digit.
 */
export function wholeWords(texts: readonly string[]): RegExp | undefined {
  const all = texts.filter((text) => /[\p{L}\p{N}]/u.test(text)).flatMap((text) => [text, escaped(text)]);
  if (all.length === 0) return undefined;
  const longestFirst = [...new Set(all)].sort((a, b) => b.length - a.length);
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.map(quoted).join('|')})(?![\\p{L}\\p{N}])`, 'giu');
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
const quoted = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Whether a pattern of `wholeWords` finds anything in a value. */
const isIn = (pattern: RegExp, value: unknown): boolean => JSON.stringify(value).search(pattern) !== -1;

/**
 * Lists what people of a site wrote in which a pattern finds something, as `label 7` or `text of article 3 de`: only a
 * person can tell what is to stand there instead.
 */
export async function whatNames(table: Table, site: string, pattern: RegExp): Promise<string[]> {
  const macros = await membersIn(table, keys.macros(site));
  const rooms: readonly (readonly [string, Partition])[] = [
    ['settings of the', { pk: keys.site(site).pk }],
    ['topic', keys.topics(site)],
    ['macro', keys.macros(site)],
    ...macros.map(({ id }) => [`macro ${id}, action`, keys.actions(site, Number(id))] as const),
    ...REFERENCE_KINDS.map((kind) => [kind.replace('_', ' '), keys.reference(site, kind)] as const),
    ['text of article', keys.articleText(site)],
    ['saved report', keys.savedReports(site)],
    ['board', keys.boards(site)],
    ['link to a board', keys.boardLinks(site)],
    ['alert', keys.alerts(site)],
  ];
  const found: string[] = [];
  for (const [noun, partition] of rooms)
    for (const { pk: _, sk, ...item } of await membersIn(table, partition))
      if (isIn(pattern, item)) found.push([noun, ...(sk.includes('#') ? sk.split('#').slice(1) : [sk])].join(' '));
  const sources = await table.query(keys.history(site).pk, { prefix: keys.source(site, '').sk });
  return [...found, ...sources.flatMap(({ name }) => (isIn(pattern, name) ? [`source ${name}`] : []))];
}

const membersIn = async (table: Table, { pk }: Partition): Promise<readonly Item[]> =>
  (await table.query(pk)).filter(({ sk }) => sk !== 'head' && sk !== 'order');
