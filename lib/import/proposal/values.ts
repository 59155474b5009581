import type { FileColumn } from './columns.ts';
import { isOfFreshdesk } from './evidence/meaning-evidence.ts';
import { meaningsOfColumn } from './meanings.ts';
import type { ColumnMeanings, Meaning } from './proposal.ts';
import type { ProposalDraft } from './proposal-draft.ts';

/** A column, and what its texts mean. */
export interface WrittenTable {
  readonly column: string;
  readonly table: Record<string, Meaning>;
}

const SCORES: Readonly<Record<string, number>> = { lowest: 1, low: 2, normal: 5, high: 8, urgent: 10 };
const STEPS: Readonly<Record<number, readonly number[]>> = { 3: [2, 5, 8], 4: [2, 5, 8, 10], 5: [1, 2, 5, 8, 10] };
const MOST_STEPS = 5;

/** A value of a mapping with a table, and what was found; the value is undefined while a question is open, null for none. */
export interface TableOf {
  readonly value: WrittenTable | null | undefined;
  readonly found?: ColumnMeanings; // of words
}

const table = (column: FileColumn, entries: Iterable<readonly [string, Meaning]>): WrittenTable => ({
  column: column.name,
  table: Object.fromEntries(entries),
});

/** The mapping of priorities: words, `P1`, or numbers whose scale is asked unless they go from 1 to 10. */
export function priorityValue(draft: ProposalDraft, column: FileColumn): TableOf {
  const values = [...(column.values?.keys() ?? [])];
  const numbers = values.map(Number);
  if (!numbers.every((number) => Number.isInteger(number) && number >= 0 && number <= 10)) {
    const { found, meanings } = meaningsOfColumn(draft, 'priority', column, {});
    const scored =
      meanings &&
      [...meanings].map(([value, is]) => [value, typeof is === 'string' ? (SCORES[is] ?? null) : is] as const);
    return { found, value: scored && table(column, scored) };
  }
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const own = values.map((value) => [value, Number(value)] as const);
  if (most > MOST_STEPS && least > 0) return { value: table(column, own) };
  const told = isOfFreshdesk(draft) && draft.asker.told(`priority_scale:${column.name}`) === undefined;
  const answer = told
    ? 'low_first'
    : draft.asker.ask({
        id: `priority_scale:${column.name}`,
        about: 'priority_scale',
        role: 'priority',
        column: column.name,
        text: `Which number in "${column.name}" is the most urgent?`,
        values: values.map((value) => ({ value, rows: column.values?.get(value) ?? 0, proposed: null })),
        choices: [
          { answer: 'low_first', text: `${most}: the smallest is the least urgent` },
          { answer: 'high_first', text: `${least}: the smallest is the most urgent` },
        ],
        proposed: 'low_first',
      });
  if (answer === undefined) return { value: undefined };
  const first = Math.min(least, 1);
  const scale = STEPS[Math.min(MOST_STEPS, Math.max(3, most - first + 1))] ?? [];
  const scored = values.map((value) => {
    const step = Number(value) - first;
    return [value, scale[answer === 'low_first' ? step : scale.length - 1 - step] ?? null] as const;
  });
  return { value: table(column, scored) };
}

/** How a site rates. */
export type SiteRating = 'yes_no' | 'four_star';

const FACES: Readonly<Record<string, Readonly<Record<SiteRating, number | null>>>> = {
  good: { yes_no: 1, four_star: 4 },
  bad: { yes_no: 0, four_star: 1 },
};
/** Parts of a scale that count as bad and as good where a site knows these two alone. */
const [BAD_PART, GOOD_PART] = [0.4, 0.7];

/** The mapping of ratings: words, or numbers whose scale is asked unless they are the site's own. */
export function ratingValue(draft: ProposalDraft, column: FileColumn, rating: SiteRating): TableOf {
  const values = [...(column.values?.keys() ?? [])];
  const numbers = values.map((value) => Number(value.replace(/\s*(?:\/|of)\s*\d+$/, '')));
  if (!numbers.every((number) => Number.isInteger(number) && number >= 0 && number <= 10)) {
    const { found, meanings } = meaningsOfColumn(
      draft,
      'csat',
      column,
      rating === 'four_star' ? { unclear: 'neutral' } : {},
    );
    const scored =
      meanings &&
      [...meanings].map(([value, is]) => [value, typeof is === 'string' ? (FACES[is]?.[rating] ?? null) : is] as const);
    for (const { value, rows, meaning } of found.values)
      if (meaning === 'neutral') draft.notes.push(`${rows} ratings "${value}" in "${column.name}" count as none.`);
    return { found, value: scored && table(column, scored) };
  }
  const most = Math.max(...numbers);
  const own = values.map((value, index) => [value, numbers[index] ?? null] as const);
  if (rating === 'yes_no' && most <= 1) return { value: table(column, own) };
  const answer = draft.asker.ask({
    id: `rating_scale:${column.name}`,
    about: 'rating_scale',
    role: 'csat',
    column: column.name,
    text: `On which scale are the ratings in "${column.name}"?`,
    values: values.map((value) => ({ value, rows: column.values?.get(value) ?? 0, proposed: null })),
    choices: [
      ...[4, 5, 10].filter((top) => top >= most).map((top) => ({ answer: String(top), text: `1 to ${top}` })),
      { answer: null, text: 'They are no ratings' },
    ],
    proposed: String([4, 5, 10].find((top) => top >= most) ?? 10),
  });
  if (answer === undefined) return { value: undefined };
  if (answer === null) return { value: null };
  const scored = values.map((value, index) => [value, scoreOf(numbers[index] ?? 0, Number(answer), rating)] as const);
  return { value: table(column, scored) };
}

/** A number on a scale from 1, as the site rates; the middle is no value. */
function scoreOf(number: number, top: number, rating: SiteRating): number | null {
  if (number < 1) return rating === 'yes_no' && number === 0 && top === 1 ? 0 : null;
  if (rating === 'four_star' && top === 4) return number;
  const part = number / top;
  if (rating === 'yes_no') return part <= BAD_PART + (top === 4 ? 0.1 : 0) ? 0 : part >= GOOD_PART ? 1 : null;
  if (top === 5) return [1, 2, null, 3, 4][number - 1] ?? null;
  return Math.max(1, Math.ceil(part * 4));
}

const LABEL_SEPARATORS = [',', '|', ';']; // the first that a cell has

/** The mapping of labels. */
export function labelsValue({ name, values, cell }: FileColumn, rows: number) {
  const texts = values ? [...values.keys()] : Array.from({ length: Math.min(rows, 1_000) }, (_, row) => cell(row));
  const split = LABEL_SEPARATORS.find((one) => texts.some((text) => text.includes(one))) ?? ' ';
  return { column: name, split };
}
