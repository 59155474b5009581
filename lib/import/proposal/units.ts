import { DURATION_UNITS, type DurationUnit } from '../../vocabulary.ts';
import { durationSeconds } from '../language/durations.ts';
import type { FileColumn } from './columns.ts';
import { endIn, UNIT_EVIDENCE } from './evidence/unit-evidence.ts';
import type { Choice, ColumnUnit } from './proposal.ts';
import { type ProposalDraft, textsIn } from './proposal-draft.ts';

/** The unit of a column of durations: what is known, and the unit itself; undefined while it is open, null if the numbers are no durations. */
interface UnitFound {
  readonly found: ColumnUnit;
  readonly unit: DurationUnit | null | undefined;
}

/** Finds the unit of durations that begin with the creation: by name and texts, else by the data, else by a question. */
export function unitOf(draft: ProposalDraft, created: FileColumn, column: FileColumn): UnitFound {
  const choices = choicesFor(draft, column);
  const common = { column: column.name, choices };
  const told = draft.asker.told(`unit:${column.name}`);
  const answer = choices.find((choice) => choice.answer === told)?.answer;
  if (answer !== undefined && told !== undefined) {
    const unit = DURATION_UNITS.find((one) => one === answer) ?? null;
    return { found: { ...common, unit, state: 'proven', why: 'as answered' }, unit };
  }
  const [named, other] = column.units;
  if (named !== undefined && other === undefined)
    return { found: { ...common, unit: named, state: 'proven', why: 'by its name or its texts' }, unit: named };
  const { proven, why, possible } = weigh(draft, created, column);
  if (proven !== undefined) return { found: { ...common, unit: proven, state: 'proven', why }, unit: proven };
  const proposed = LIKELY.find((unit) => possible.includes(unit)) ?? named ?? null;
  draft.asker.ask({
    id: `unit:${column.name}`,
    about: 'unit',
    column: column.name,
    text: `In which unit are the durations in "${column.name}"?`,
    choices,
    proposed,
  });
  return { found: { ...common, unit: null, state: 'open', why: 'nothing says the unit' }, unit: undefined };
}

/** The units that are proposed first, of those that the data allows. */
const LIKELY: readonly DurationUnit[] = ['minutes', 'hours', 'seconds', 'days', 'clock', 'short_clock'];

/** What the data says of the units that a column's texts allow. */
export function weigh(
  draft: ProposalDraft,
  created: FileColumn,
  column: FileColumn,
): { readonly proven: DurationUnit | undefined; readonly why: string; readonly possible: readonly DurationUnit[] } {
  const possible: DurationUnit[] = [];
  for (const unit of column.units) {
    const end = endIn(draft, created, column, unit);
    const said = UNIT_EVIDENCE.map(({ why, look }) => ({ why, says: look(draft, end) }));
    const data = said.find(({ says }) => says === 'data');
    if (data !== undefined) return { proven: unit, why: `it ${data.why}`, possible: [unit] };
    if (said.every(({ says }) => says === undefined)) possible.push(unit);
  }
  return { proven: undefined, why: '', possible };
}

/** What each unit is called in a choice. */
export const UNIT_NAMES: Readonly<Record<DurationUnit, string>> = {
  seconds: 'seconds',
  minutes: 'minutes',
  hours: 'hours',
  days: 'days',
  clock: 'hours:minutes',
  short_clock: 'minutes:seconds',
  words: 'words',
};

/** All units in which every text of the column can be read, each with what the middle one would be. */
function choicesFor(draft: ProposalDraft, column: FileColumn): Choice[] {
  const texts = textsIn(draft, column);
  const units = DURATION_UNITS.flatMap((unit) => {
    const seconds = texts.map((text) => durationSeconds(text, unit) ?? Number.NaN).sort((a, b) => a - b);
    const middle = seconds[Math.floor(seconds.length / 2)];
    if (middle === undefined || seconds.some(Number.isNaN)) return [];
    return [{ answer: unit, text: `${UNIT_NAMES[unit]}: half of them last ${spoken(middle)} or longer` }];
  });
  return [...units, { answer: null, text: 'They are no durations, or not from the creation' }];
}

const STEPS: readonly (readonly [unit: string, seconds: number])[] = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
];

function spoken(seconds: number): string {
  const [unit, size] = STEPS.find(([, each]) => seconds >= 2 * each) ?? ['seconds', 1];
  return `${Number((seconds / size).toPrecision(3))} ${unit}`;
}
