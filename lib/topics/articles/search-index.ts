import { wordsOf } from '../../access/words.ts';
import { addTo } from '../../group-by.ts';
import { giveTurn, newSpell, type Spell } from '../../spell.ts';

/** What is searched of an article in one language. */
export interface Searched {
  readonly id: number;
  readonly print: string; // changes with the text
  readonly subject: string;
}

/** An article as it was when it was indexed; a new text gets a slot of its own. */
interface Slot {
  readonly id: number;
  readonly print: string;
  readonly subject: readonly string[]; // folded words
}

/** An inverted index of the texts of a site in one language. It grows: a write costs the reading of one text. */
export interface SearchIndex {
  slots: Slot[];
  slotOf: Map<number, number>; // the current slot of each article
  words: Map<string, Map<string, number[]>>; // by the first two letters, then by the word: its slots, rising
}

export const newIndex = (): SearchIndex => ({ slots: [], slotOf: new Map(), words: new Map() });

const STARTS = 2; // UTF-16 units by which words are grouped
const AT_ONCE = 40; // texts read at a time

/**
 * Brings an index up to these articles. `read` returns the rest of their texts, for some at a time, each as a function
 * that makes it. Others have a turn every few ms, and after it.
 */
export async function updateIndex(
  index: SearchIndex,
  articles: readonly Searched[],
  read: (some: readonly Searched[]) => Promise<readonly (() => string)[]>,
): Promise<void> {
  const isCurrent = ({ id, print }: Searched): boolean => index.slots[index.slotOf.get(id) ?? -1]?.print === print;
  if (index.slots.length > 2 * (articles.length + AT_ONCE)) Object.assign(index, newIndex()); // mostly old slots
  const changed = articles.filter((article) => !isCurrent(article));
  const spell = newSpell();
  for (let at = 0; at < changed.length; at += AT_ONCE) {
    const some = changed.slice(at, at + AT_ONCE);
    const texts = await read(some);
    await spell.pause(); // a table that answers at once gives nobody a turn
    for (const [nth, article] of some.entries()) {
      await addArticle(index, article, texts[nth]?.() ?? '', spell);
      await spell.pause();
    }
  }
  if (changed.length > 0) await giveTurn(); // a search follows, which looks at all of them
}

const PIECE = 1_000; // characters that are read in one go: scripts without spaces take 1 ms each
const BREAK = /[\s\p{P}]/u;

/** Cuts a text into its lines, and long ones between two words. */
function* piecesOf(text: string): Generator<string> {
  for (const line of text.split('\n')) {
    for (let from = 0; from < line.length; ) {
      const to = from + PIECE < line.length ? lastBreak(line, from, from + PIECE) : line.length;
      yield line.slice(from, to);
      from = to;
    }
  }
}

/** Where the last space or sign before `to` is; `to` if there is none behind `from`. */
function lastBreak(line: string, from: number, to: number): number {
  for (let at = to; at > from; at -= 1) if (BREAK.test(line.charAt(at))) return at;
  return to;
}

async function addArticle(
  { slots, slotOf, words }: SearchIndex,
  { id, print, subject }: Searched,
  text: string,
  spell: Spell,
): Promise<void> {
  const inSubject = [...new Set(wordsOf(subject))];
  const inArticle = new Set(inSubject);
  for (const piece of piecesOf(text)) {
    for (const word of wordsOf(piece)) inArticle.add(word);
    await spell.pause();
  }
  const slot = slots.push({ id, print, subject: inSubject }) - 1;
  for (const word of inArticle) {
    const start = word.slice(0, STARTS);
    const group = words.get(start) ?? new Map<string, number[]>();
    addTo(group, word, slot);
    words.set(start, group);
  }
  slotOf.set(id, slot);
}

/** Which articles have every one of the folded words as the beginning of a word, with how many begin one of the subject. */
export function searchIndex(
  { slots, slotOf, words }: SearchIndex,
  wanted: readonly string[],
): ReadonlyMap<number, number> {
  const hits = new Uint32Array(slots.length); // how many of the wanted words, in their order, each slot has
  for (const [nth, prefix] of wanted.entries()) {
    for (const places of placesOf(words, prefix))
      for (const place of places) if (hits[place] === nth) hits[place] = nth + 1;
  }
  const scores = new Map<number, number>();
  for (const [id, slot] of slotOf) if (hits[slot] === wanted.length) scores.set(id, scoreOf(slots[slot], wanted));
  return scores;
}

const scoreOf = (slot: Slot | undefined, wanted: readonly string[]): number =>
  wanted.filter((prefix) => slot?.subject.some((word) => word.startsWith(prefix))).length;

function* placesOf(words: SearchIndex['words'], prefix: string): Generator<readonly number[]> {
  const groups =
    prefix.length < STARTS ? [...words].flatMap(([start, group]) => (start.startsWith(prefix) ? [group] : [])) : [];
  const own = prefix.length < STARTS ? undefined : words.get(prefix.slice(0, STARTS));
  for (const group of own ? [own] : groups)
    for (const [word, places] of group) if (word.startsWith(prefix)) yield places;
}
