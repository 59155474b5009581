import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { commonWords } from '../language/words.ts';

/** Decodes bytes, chunk by chunk. */
export interface TextDecoding {
  readonly decode: (chunk: Uint8Array) => string;
  readonly end: () => string;
}

/** Encodings of DOS, which the WHATWG Encoding standard lacks. */
const OF_DOS = new Set(['cp437', 'cp850', 'cp852']);

/** Returns the decoder of an encoding by its label in the WHATWG Encoding standard or of DOS; undefined if unknown. */
export function decoding(label: string): TextDecoding | undefined {
  if (OF_DOS.has(label.toLowerCase())) {
    const decoder = iconv.getDecoder(label);
    return { decode: (chunk) => decoder.write(Buffer.from(chunk)), end: () => decoder.end() ?? '' };
  }
  try {
    const decoder = new TextDecoder(label);
    return { decode: (chunk) => decoder.decode(chunk, { stream: true }), end: () => decoder.decode() };
  } catch {
    return undefined;
  }
}

/** Decodes all of some bytes. */
export function decoded(bytes: Uint8Array, label: string): string {
  const decoder = decoding(label);
  return decoder === undefined ? '' : `${decoder.decode(bytes)}${decoder.end()}`;
}

/** Whether an encoding is UTF-8, so that it need not be decoded. */
export const isLabelOfUtf8 = (label: string): boolean => /^utf-?8$/i.test(label);

/** The encodings that are told apart, the more usual first, with the letters that texts in them have beside ASCII. */
const CANDIDATES: readonly (readonly [label: string, letters: RegExp])[] = [
  ['windows-1252', /[àáâãäåæçèéêëìíîïñòóôõöøùúûüßœ]/iu],
  ['windows-1250', /[áéíóúýäöüâîăşţßąćęłńśźżčďěňřšťůžőűș]/iu],
  ['windows-1251', /[а-яёіїєґ]/iu],
  ['windows-1254', /[âçğıîöşüûİ]/iu],
  ['windows-1253', /[α-ωάέήίόύώς]/iu],
  ['windows-1257', /[ąčęėįšųūžāēģīķļņõäöü]/iu],
  ['shift_jis', /[\u3040-\u30ff\u4e00-\u9fff]/u],
  ['gb18030', /[\u4e00-\u9fff]/u],
  ['euc-kr', /[\uac00-\ud7a3]/u],
  ['cp850', /[àáâãäåæçèéêëìíîïñòóôõöøùúûüß]/iu],
  ['cp852', /[áéíóúýäöüâîăşţßąćęłńśźżčďěňřšťůžőű]/iu],
  ['ibm866', /[а-яё]/iu],
  ['koi8-r', /[а-яё]/iu],
  ['iso-8859-2', /[áéíóúýäöüâîăşţßąćęłńśźżčďěňřšťůžőű]/iu],
  ['iso-8859-5', /[а-яё]/iu],
];

const PEEK = 65_536; // bytes that are tried
const TELLING = 4; // a word of help desks, or a letter that does not belong, tells two encodings apart

/**
 * Returns the encodings that a file may have, by its beginning, the best first: one if nothing is to be chosen. UTF-8
 * wins where it is valid; its last character may be incomplete.
 */
export function encodingCandidates(start: Uint8Array): readonly [string, ...string[]] {
  const [one, two] = start;
  if (one === 0xff && two === 0xfe) return ['utf-16le'];
  if (one === 0xfe && two === 0xff) return ['utf-16be'];
  const wide = utf16Of(start);
  if (wide !== undefined) return [wide];
  for (let cut = 0; cut < 4; cut += 1) if (isUtf8(start.subarray(0, start.length - cut))) return ['utf-8'];
  const first = start.findIndex((byte) => byte > 0x7f);
  const from = start.lastIndexOf(0x0a, first) + 1;
  const bytes = start.subarray(from, from + PEEK);
  const found = CANDIDATES.map(([label, letters]) => ({ label, ...judged(decoded(bytes, label), letters) }));
  const [best, ...others] = found.sort((a, b) => b.score - a.score);
  if (best === undefined) return ['windows-1252'];
  const met = new Set([best.words.join(' ')]);
  const isOther = ({ score, sum, words }: (typeof found)[number]): boolean => {
    const size = met.size;
    return best.score - score <= 1 && best.sum - sum < TELLING && met.add(words.join(' ')).size > size;
  };
  return [best.label, ...others.filter(isOther).map(({ label }) => label)];
}

/** UTF-16 without a mark has a zero byte beside each character of ASCII. */
function utf16Of(start: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const zeros = [0, 0];
  const length = Math.min(start.length, 4_096);
  for (let at = 0; at < length; at += 1) if (start[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > length / 5 && even < odd / 20) return 'utf-16le';
  return even > length / 5 && odd < even / 20 ? 'utf-16be' : undefined;
}

/** How well a text reads: by words that help desks use, then by letters that belong together. */
function judged(
  text: string,
  letters: RegExp,
): { readonly score: number; readonly sum: number; readonly words: readonly string[] } {
  const words =
    text.match(/[\p{L}\p{M}\u0080-\u00bf\u2500-\u259f]*[^\p{ASCII}\s][^\p{ASCII}\s\p{L}]*[\p{L}\p{M}]*/gu) ?? [];
  const known = commonWords();
  let sum = 0;
  for (const word of new Set(words.slice(0, 2_000))) {
    if (known.has(word.toLowerCase())) sum += TELLING;
    const isOfLatin = /[a-z]/.test(word);
    for (const [at, letter] of [...word].entries()) {
      if (letter.charCodeAt(0) < 128) continue;
      const isForeign = isOfLatin && /\p{L}/u.test(letter) && !/\p{Script=Latin}/u.test(letter);
      const isRaised = at > 0 && isUpper(letter) && (isOfLatin || !isUpper(word[at - 1] ?? ''));
      const isOdd = isForeign || isRaised || !letters.test(letter);
      sum += isOdd ? -3 : 1;
    }
  }
  return { score: words.length === 0 ? 0 : sum / new Set(words).size, sum, words };
}

const isUpper = (letter: string): boolean => letter !== letter.toLowerCase();
