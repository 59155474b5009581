import { memoizeSome } from '../../memo.ts';
import { keysOf, recordOf } from '../../typed-object.ts';
import { FILE_ROLES, type FileRole, type Meaning, type MeaningRole } from '../proposal/proposal.ts';
import { ALL_LANGUAGES, type Language } from './languages.ts';
import { hasSigns, wordPattern } from './word-pattern.ts';

/** What a text says about a role or a meaning. */
export interface WordMatch<T> {
  readonly is: T;
  readonly exact: boolean; // the text is the word; else it only contains it
}

/** Returns a text without differences of case, width, accents, separators and the parts of a name written as one word. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll('ı', 'i')
    .normalize('NFC')
    .replaceAll(/[_\s]+/g, ' ')
    .trim();
}

/** A folded text without punctuation; the text itself if it is nothing else, such as `#`. */
const withoutSigns = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim() || text;

let common: ReadonlySet<string> | undefined;

/** The words beside ASCII that help desks use, in small letters, by which encodings are told apart. */
export function commonWords(): ReadonlySet<string> {
  common ??= new Set(
    JSON.stringify(ALL_LANGUAGES)
      .toLowerCase()
      .match(/[\p{L}\p{M}]*[^\p{ASCII}\s][\p{L}\p{M}]*/gu),
  );
  return common;
}

/** A list of words with what they mean, of all languages together; a word may mean several things. */
type WordList = ReadonlyMap<string, ReadonlySet<string>>;

function wordList(kind: 'headers' | 'statuses' | 'priorities' | 'directions' | 'activities' | 'ratings'): WordList {
  const list = new Map<string, Set<string>>();
  const add = (word: string, meaning: string): void => {
    const key = folded(word);
    for (const spelling of new Set([key, withoutSigns(key)]))
      list.set(spelling, (list.get(spelling) ?? new Set()).add(meaning));
  };
  for (const language of ALL_LANGUAGES) {
    for (const [meaning, words] of Object.entries(language[kind])) for (const word of words) add(word, meaning);
    for (const [word, meanings] of Object.entries(language.ambiguous[kind] ?? {}))
      for (const meaning of meanings) add(word, meaning);
  }
  return list;
}

const NEGATIONS = ALL_LANGUAGES.flatMap(({ negations }) => negations.map(folded));
const NEGATING_WORDS = new Set(NEGATIONS.filter((word) => !word.includes('-') && word.length > 1));
/** Negations of languages that write no spaces. */
const NEGATING_SIGNS = NEGATIONS.filter((word) => /[^\p{Script=Latin}\p{Script=Cyrillic}\s'-]/u.test(word));

const WORD = /[\p{L}\p{N}]+/gu;

/** Whether a folded text contains a folded word as whole words; in Chinese, Japanese and Korean anywhere. */
function containsWord(text: string, word: string): boolean {
  if (hasSigns(word)) return text.includes(word);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = at === 0 ? ' ' : text.charAt(at - 1);
    const after = text.charAt(at + word.length) || ' ';
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}

/** Whether a text negates, delays or awaits what its other words say. */
function isNegated(text: string): boolean {
  const all = text.match(WORD) ?? [];
  return all.some((word) => NEGATING_WORDS.has(word)) || NEGATING_SIGNS.some((sign) => text.includes(sign));
}

/** Returns the meanings of a text: of the whole text, else of the longest words that it contains. */
function meaningsOf(
  list: WordList,
  given: string,
): { readonly meanings: ReadonlySet<string>; readonly exact: boolean } {
  const text = folded(given);
  const exact = list.get(text) ?? (/[?!¿]/.test(text) ? undefined : list.get(withoutSigns(text))); // a question is no statement
  if (exact !== undefined) return { meanings: exact, exact: true };
  let rest = text;
  const meanings = new Set<string>();
  const contained = [...list].filter(([word]) => word.length > 1 && containsWord(text, word));
  for (const [word, all] of contained.sort((a, b) => b[0].length - a[0].length)) {
    if (!containsWord(rest, word)) continue;
    rest = rest.replace(word, ' ');
    for (const one of all) meanings.add(one);
  }
  return { meanings, exact: false };
}

const HEADERS = wordList('headers');
const roleOf = (name: string): FileRole | undefined =>
  keysOf(FILE_ROLES).find((role) => role === (name === 'author' ? 'actor' : name));

/** Nouns of a case that a header may have in front of a role's words without another meaning. */
const OF_A_CASE = new Set(
  ALL_LANGUAGES.flatMap(({ names }) => [...names.of_case, ...names.filler, ...names.of_date]).map(folded),
);

const OF_A_DATE = wordPattern(
  ALL_LANGUAGES.flatMap(({ names }) => names.of_date),
  'gu',
);
/** A column's name without the words that tell its date from its time of day. */
export const withoutDateWords = (header: string): string => withoutSigns(folded(header).replaceAll(OF_A_DATE, ' '));

/** A role that a header names, and how well: 3 it is the role's word; 2 with a noun of a case; 1 it contains the word. */
export interface NamedRole {
  readonly role: FileRole;
  readonly level: 1 | 2 | 3;
}

type Named = { readonly named: readonly NamedRole[] };

/** Whether a column's name says one of some roles: by the role's word alone, or with a noun of a case. */
export const namesRole = ({ named }: Named, ...roles: readonly FileRole[]): boolean =>
  named.some(({ role, level }) => level > 1 && roles.includes(role));

/** Whether a column's name at least contains a word of one of some roles. */
export const mentionsRole = ({ named }: Named, ...roles: readonly FileRole[]): boolean =>
  named.some(({ role }) => roles.includes(role));

/** Returns the roles that a column's name says. A zone, a unit or a remark in brackets counts only if it belongs to the word. */
export function rolesOfName(header: string): NamedRole[] {
  const whole = folded(header);
  const bare = whole.replace(/\s*[([（].*?[)\]）]\s*$/u, '').trim();
  for (const text of [whole, bare, withoutSigns(whole)]) {
    const exact = HEADERS.get(text);
    if (exact !== undefined) return [...exact].flatMap((name) => atLevel(name, 3));
  }
  const found = new Map<string, NamedRole['level']>();
  const contained = [...HEADERS].filter(([word]) => word.length > 1 && containsWord(bare, word));
  const longest = Math.max(0, ...contained.map(([word]) => word.length));
  for (const [word, roles] of contained) {
    if (word.length < longest) continue;
    const rest = bare.replace(word, ' ').match(WORD) ?? [];
    const isOfCase = rest.every((one) => OF_A_CASE.has(one));
    for (const name of roles) if (isOfCase || !found.has(name)) found.set(name, isOfCase ? 2 : 1);
  }
  return [...found].flatMap(([name, level]) => atLevel(name, level));
}

const OWN_WORDS = new Map(
  keysOf(FILE_ROLES).map((role) => [
    role,
    new Set(ALL_LANGUAGES.map(({ headers }) => folded(headers[role]?.[0] ?? role))),
  ]),
);
/** Whether a name is the word by which people call a role itself: the first of a language's words. */
export const isOwnWord = (header: string, role: FileRole): boolean => OWN_WORDS.get(role)?.has(folded(header)) === true;

function atLevel(name: string, level: NamedRole['level']): NamedRole[] {
  const role = roleOf(name);
  return role === undefined ? [] : [{ role, level }];
}

/** A pattern of the words of all languages for one thing, to be looked for in folded texts. */
const patternOf = (words: (language: Language) => readonly string[]): RegExp =>
  wordPattern(ALL_LANGUAGES.flatMap(words).map(folded));

const DUE_WORDS = patternOf(({ names }) => names.due);
const BUSINESS_WORDS = patternOf(({ names }) => names.business);
const PUBLIC_WORDS = patternOf(({ values }) => values.public);
const INTERNAL_WORDS = patternOf(({ values }) => values.internal);
const EXTERNAL_WORDS = patternOf(({ values }) => values.external);

/** Whether a column's name speaks of a target, never of what happened. */
export const isDueName = (header: string): boolean =>
  DUE_WORDS.test(folded(header)) || HEADERS.get(folded(header))?.has('due') === true;
/** Whether a column's name speaks of time within business hours. */
export const isBusinessName = (header: string): boolean => BUSINESS_WORDS.test(folded(header));

/** Whether a column's name or value says that all may read. */
export const isPublicWord = (text: string): boolean =>
  PUBLIC_WORDS.test(folded(text)) && !/非公開|비공개|(?:un|non-?)publi/iu.test(text) && !isNegated(folded(text));
/** Whether a value says that outsiders may not read, or that they do. */
export const isInternalWord = (text: string): boolean => INTERNAL_WORDS.test(folded(text));
export const isExternalWord = (text: string): boolean => EXTERNAL_WORDS.test(folded(text));

const LISTS: Readonly<Record<Exclude<MeaningRole, 'note'>, WordList>> = {
  status: wordList('statuses'),
  priority: wordList('priorities'),
  direction: wordList('directions'),
  activity: wordList('activities'),
  csat: wordList('ratings'),
};
const PLAIN: Readonly<Record<string, Meaning>> = { ignored: null, none: null };

/** Meanings that give the same numbers. */
const SAME: readonly (readonly string[])[] = [
  ['resolved', 'closed'],
  ['new', 'open', 'pending', 'reopened'],
];
const groupOf = (meaning: string): string => SAME.find((all) => all.includes(meaning))?.[0] ?? meaning;

type WordRole = Exclude<MeaningRole, 'note'>;
const CACHED = 5_000; // values of a role
const SAID = recordOf(keysOf(LISTS), (role) =>
  memoizeSome(CACHED, (value: string) => ({ said: meaningByWords(role, value) })),
);

/** Returns what a value means by its words; undefined if they say nothing, or things that give different numbers. */
export const wordMeaning = (role: WordRole, value: string): WordMatch<Meaning> | undefined => SAID[role](value).said;

/** A number in front of or behind a word: `1 - Critical`, `(3) Closed`. */
const NUMBERING = /^[\s([]*\d{1,2}[\s)\].:–-]+|[\s([]+\d{1,2}[)\]\s]*$/gu;

function meaningByWords(role: WordRole, value: string): WordMatch<Meaning> | undefined {
  const coded = role === 'priority' ? /^p ?([1-5])$/i.exec(value.trim())?.[1] : undefined;
  if (coded !== undefined)
    return { is: ['urgent', 'high', 'normal', 'low', 'lowest'][Number(coded) - 1] ?? null, exact: true };
  const bare = value.replaceAll(NUMBERING, '');
  const given = LISTS[role].has(folded(value)) || bare === '' ? value : bare;
  const { meanings, exact } = meaningsOf(LISTS[role], given);
  const [first, ...others] = meanings;
  if (first === undefined || others.some((one) => groupOf(one) !== groupOf(first))) return undefined;
  if (!exact && role !== 'activity' && isNegated(folded(value))) {
    if (role === 'status' && (first === 'resolved' || first === 'closed')) return { is: 'open', exact: false };
    return undefined;
  }
  return { is: first in PLAIN ? (PLAIN[first] ?? null) : first, exact };
}

/** Whether two meanings give the same numbers. */
export const isSameMeaning = (a: Meaning, b: Meaning): boolean => a === b || groupOf(String(a)) === groupOf(String(b));

const TRUTHS = new Map(
  ALL_LANGUAGES.flatMap(({ values }) => [
    ...values.true.map((word) => [folded(word), true] as const),
    ...values.false.map((word) => [folded(word), false] as const),
  ]),
);
/** Reads a word for true or false; undefined if it is none. */
export const truthOf = (text: string): boolean | undefined => TRUTHS.get(folded(text));

/** The directions that a word may mean: `User` is a customer in one product and an agent in another. */
export const possibleDirections = (value: string): ReadonlySet<string> => meaningsOf(LISTS.direction, value).meanings;

const NOTHING = /^([-–—]+|\?+|n\/a|\(?(none|null|nil|empty|blank)\)?)$/i;
const NOBODY = new Set(ALL_LANGUAGES.flatMap(({ values }) => values.nobody.map(folded)));
/** Whether a text stands for an empty cell; `ofMember`: in a column of agents, groups or companies. */
export const isNothing = (text: string, ofMember = false): boolean =>
  NOTHING.test(text) || (ofMember && NOBODY.has(folded(text).replace(/^\(|\)$/g, '')));
