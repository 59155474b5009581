import { loadProposed, type Numbers } from '../load-proposed.ts';
import { type UnknownFile, unknownFile } from './unknown-file.ts';

/** How a file ended (docs/design/first-contact.md). */
export interface Outcome {
  readonly file: UnknownFile;
  readonly is: 'right' | 'asked' | 'refused' | 'wrong'; // of a file that nobody could read `asked` is a refusal
  readonly asked: readonly string[];
  readonly rounds: number;
  readonly why: string; // for people who look for the reason
  readonly mapping: unknown;
}

/** Takes a file through the proposal, answers truthfully, loads it and compares its numbers. */
export async function outcomeOf(seed: number): Promise<Outcome> {
  const file = unknownFile(seed);
  const loaded = await loadProposed(file.bytes, file.answer);
  const common = {
    file,
    asked: loaded.asked.map(({ id }) => id),
    rounds: loaded.rounds,
    mapping: loaded.proposal.mapping,
  };
  if (file.isLost) {
    const isTold = loaded.numbers === undefined && loaded.proposal.refusal !== undefined;
    return { ...common, is: isTold ? 'asked' : 'wrong', why: 'a lost clock' };
  }
  if (loaded.numbers === undefined) {
    const open = loaded.proposal.questions.map(({ id }) => id).join(', ');
    return {
      ...common,
      is: 'refused',
      why: loaded.proposal.refusal ?? `open: ${open} ${loaded.proposal.notes.join(' ')}`,
    };
  }
  const different = differences(file.expected, loaded.numbers);
  if (different.length > 0)
    return {
      ...common,
      is: 'wrong',
      why: `${different.join('; ')} rejected: ${loaded.rejected.slice(0, 2).join(', ')}`,
    };
  return { ...common, is: loaded.asked.length === 0 ? 'right' : 'asked', why: '' };
}

function differences(expected: Numbers, found: Numbers): string[] {
  return Object.entries(expected).flatMap(([name, value]) => {
    const given = found[name] ?? null;
    const same =
      typeof value === 'number' && typeof given === 'number'
        ? Math.abs(value - given) < 0.01 * Math.max(1, Math.abs(value)) * 1e-4 + 1e-3
        : canonical(value) === canonical(given);
    return same ? [] : [`${name}: ${canonical(given)} instead of ${canonical(value)}`];
  });
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null ? Object.fromEntries(Object.entries(inner).sort()) : inner,
  );
