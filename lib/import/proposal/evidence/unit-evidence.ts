import type { DurationUnit } from '../../../vocabulary.ts';
import { durationSeconds } from '../../language/durations.ts';
import type { FileColumn } from '../columns.ts';
import { MANY, NEARLY_ALL, NEARLY_NONE, type ProposalDraft, share, timeAt } from '../proposal-draft.ts';

/** What an entry says about a unit of a column of bare durations: the data proves it, or forbids it. */
type Verdict = 'data' | 'against';

/** An entry of the registry: what it looks at, and why it says so. `end` is when a row's duration ends in the unit. */
interface UnitEvidence {
  readonly why: string; // continues "the column …"
  readonly look: (draft: ProposalDraft, end: (row: number) => number) => Verdict | undefined;
}

const ROUNDED = 90_000_000; // microseconds between a time and a duration of whole minutes
const DAY = 86_400_000_000;

/** The registry of what speaks for or against the unit of durations, beside the column's name and its texts. */
export const UNIT_EVIDENCE: readonly UnitEvidence[] = [
  {
    why: 'adds up with the creation to another time',
    look: (draft, end) => {
      const created = draft.taken.get('created');
      const isFar = (row: number): boolean =>
        created !== undefined && end(row) - timeAt(draft, created, row) > 4 * ROUNDED; // zero is zero in every unit
      const isIt = (column: FileColumn): boolean => {
        const { of, part } = share(
          draft,
          (row) => isFar(row) && !Number.isNaN(timeAt(draft, column, row)),
          (row) => Math.abs(end(row) - timeAt(draft, column, row)) <= ROUNDED,
        );
        return of >= MANY && part >= NEARLY_ALL;
      };
      return draft.columns.some((column) => column.times !== undefined && column !== created && isIt(column))
        ? 'data'
        : undefined;
    },
  },
  {
    why: 'leads past the last time of the file',
    look: (draft, end) => {
      const last = Math.max(...draft.columns.flatMap((column) => lastTime(draft, column)));
      return isMostlyPast(draft, end, () => last + DAY);
    },
  },
  {
    why: 'leads past the end of the case',
    look: (draft, end) => {
      const done = draft.taken.get('solved') ?? draft.taken.get('closed');
      return done && isMostlyPast(draft, end, (row) => timeAt(draft, done, row) + ROUNDED);
    },
  },
];

function isMostlyPast(
  draft: ProposalDraft,
  end: (row: number) => number,
  latest: (row: number) => number,
): 'against' | undefined {
  const { of, part } = share(
    draft,
    (row) => !Number.isNaN(end(row)) && !Number.isNaN(latest(row)),
    (row) => end(row) > latest(row),
  );
  return of >= MANY && part > NEARLY_NONE ? 'against' : undefined;
}

function lastTime(draft: ProposalDraft, column: FileColumn): number[] {
  if (column.times === undefined || column.isDue) return [];
  let last = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < draft.rows; row += 1) last = Math.max(last, timeAt(draft, column, row) || last);
  return [last];
}

/** When the durations of a column end, in a unit, counted from the creation, in microseconds; NaN where there is none. */
export const endIn =
  (draft: ProposalDraft, created: FileColumn, column: FileColumn, unit: DurationUnit) =>
  (row: number): number =>
    timeAt(draft, created, row) + (durationSeconds(column.cell(row), unit) ?? Number.NaN) * 1_000_000;
