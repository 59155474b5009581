import { decoding, encodingCandidates } from './formats/encodings.ts';
import { newAsker } from './proposal/asker.ts';
import type { Answers, Question } from './proposal/proposal.ts';
import { sniffCsv } from './sniff.ts';

/** The id of the question for the encoding. */
export const ENCODING = 'encoding';

/** The encoding of a file; while the question for it is open, the likeliest. */
export interface EncodingChoice {
  readonly encoding: string | undefined; // undefined: nothing was answered, and nothing is to be asked
  readonly questions: readonly Question[];
}

/** Nothing was answered, and nothing is to be asked. */
export const NOT_ASKED: EncodingChoice = { encoding: undefined, questions: [] };

/**
 * Chooses the encoding of a CSV by its beginning and the answers. It is asked where the bytes fit two, and the header or
 * a cell of a used column reads otherwise in the second; it is taken from the answers whether it was asked or not.
 */
export async function chooseEncoding(
  start: Uint8Array,
  answers: Answers,
  isUsed: (column: string) => boolean,
): Promise<EncodingChoice> {
  const told = answeredEncoding(answers);
  if (told !== undefined) return { encoding: told, questions: [] };
  const candidates = encodingCandidates(start);
  if (candidates.length < 2) return NOT_ASKED;
  const readings = new Map<string, { readonly label: string; readonly texts: readonly string[] }>();
  for (const label of candidates) {
    const texts = await usedTexts(start, label, isUsed);
    const text = texts.join('\n');
    if (!readings.has(text)) readings.set(text, { label, texts });
  }
  const [best, ...others] = readings.values();
  if (best === undefined || others.length === 0) return NOT_ASKED;
  const at = best.texts.findIndex((text, index) => others.some(({ texts }) => texts[index] !== text));
  const asker = newAsker(answers);
  asker.ask({
    id: ENCODING,
    about: 'encoding',
    text: 'The file does not say how it writes letters beside A to Z. Which of these is spelled right?',
    choices: [best, ...others].map(({ label, texts }) => ({ answer: label, text: texts[at] ?? '' })),
    proposed: best.label,
  });
  return { encoding: best.label, questions: asker.open() };
}

/** The encoding that answers name; undefined if they name none that is known. */
export function answeredEncoding({ [ENCODING]: answer }: Answers): string | undefined {
  return typeof answer === 'string' && decoding(answer) !== undefined ? answer.toLowerCase() : undefined;
}

/** The header and the cells of the used columns. */
async function usedTexts(start: Uint8Array, label: string, isUsed: (column: string) => boolean): Promise<string[]> {
  const sample = await sniffCsv(start, label);
  if (sample === undefined) return [];
  const used = sample.header.map(isUsed);
  return [...sample.header, ...sample.rows.flatMap((row) => row.filter((_, index) => used[index]))];
}
