import type { DurationUnit } from '../../../vocabulary.ts';
import { durationSeconds } from '../../mapping/durations.ts';
import type { FileColumn } from '../columns.ts';
import { MANY, NEARLY_ALL, NEARLY_NONE, type Scene, share, timeAt } from '../scene.ts';

/** What an entry says about a unit of a column of bare durations: the data proves it, or forbids it. */
type Says = 'data' | 'against';

/** An entry of the registry: what it looks at, and why it says so. `end` is when a row's duration ends in the unit. */
interface UnitEvidence {
  readonly why: string; // continues "the column …"
  readonly look: (scene: Scene, end: (row: number) => number) => Says | undefined;
}

const ROUNDED = 90_000_000; // microseconds between a time and a duration of whole minutes
const DAY = 86_400_000_000;

/** The registry of what speaks for or against the unit of durations, beside the column's name and its texts. */
export const UNIT_EVIDENCE: readonly UnitEvidence[] = [
  {
    why: 'adds up with the creation to another time',
    look: (scene, end) => {
      const created = scene.taken.get('created');
      const isFar = (row: number): boolean =>
        created !== undefined && end(row) - timeAt(scene, created, row) > 4 * ROUNDED; // zero is zero in every unit
      const isIt = (column: FileColumn): boolean => {
        const { of, part } = share(
          scene,
          (row) => isFar(row) && !Number.isNaN(timeAt(scene, column, row)),
          (row) => Math.abs(end(row) - timeAt(scene, column, row)) <= ROUNDED,
        );
        return of >= MANY && part >= NEARLY_ALL;
      };
      return scene.columns.some((column) => column.times !== undefined && column !== created && isIt(column))
        ? 'data'
        : undefined;
    },
  },
  {
    why: 'leads past the last time of the file',
    look: (scene, end) => {
      const last = Math.max(...scene.columns.flatMap((column) => lastTime(scene, column)));
      return isMostlyPast(scene, end, () => last + DAY);
    },
  },
  {
    why: 'leads past the end of the case',
    look: (scene, end) => {
      const done = scene.taken.get('solved') ?? scene.taken.get('closed');
      return done && isMostlyPast(scene, end, (row) => timeAt(scene, done, row) + ROUNDED);
    },
  },
];

function isMostlyPast(
  scene: Scene,
  end: (row: number) => number,
  latest: (row: number) => number,
): 'against' | undefined {
  const { of, part } = share(
    scene,
    (row) => !Number.isNaN(end(row)) && !Number.isNaN(latest(row)),
    (row) => end(row) > latest(row),
  );
  return of >= MANY && part > NEARLY_NONE ? 'against' : undefined;
}

function lastTime(scene: Scene, column: FileColumn): number[] {
  if (column.times === undefined || column.isDue) return [];
  let last = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < scene.rows; row += 1) last = Math.max(last, timeAt(scene, column, row) || last);
  return [last];
}

/** When the durations of a column end, in a unit, counted from the creation, in microseconds; NaN where there is none. */
export const endIn =
  (scene: Scene, created: FileColumn, column: FileColumn, unit: DurationUnit) =>
  (row: number): number =>
    timeAt(scene, created, row) + (durationSeconds(column.cell(row), unit) ?? Number.NaN) * 1_000_000;
