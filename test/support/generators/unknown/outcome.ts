import { writeOds } from 'hucre/ods';
import { writeXlsx } from 'hucre/xlsx';
import type { Question } from '../../../../lib/import/proposal/proposal.ts';
import { unpack } from '../../../../lib/import/unpack/unpack.ts';
import { type Loaded, loadProposed, type Numbers } from '../load-proposed.ts';
import { type UnknownFile, unknownFile } from './unknown-file.ts';

/** How a file ended (docs/design/first-contact.md). */
export interface Outcome {
  readonly file: UnknownFile;
  readonly is: 'right' | 'asked' | 'named' | 'refused' | 'wrong'; // of a file that nobody could read `asked` is a refusal
  readonly asked: readonly string[];
  readonly rounds: number;
  readonly why: string; // for people who look for the reason
  readonly mapping: unknown;
}

/** How a file is taken: in which form, and with which answers. */
export interface Taking {
  readonly form?: 'csv' | 'xlsx' | 'ods'; // workbooks hold dates as dates where they are written as ISO
  /** Takes what is proposed, but for what nothing in a file could tell; else all answers are true. */
  readonly proposals?: boolean;
}

/** What nothing in a file may tell, so that a proposal is a guess. */
const UNTOLD: readonly Question['about'][] = ['zone', 'date_order', 'priority_scale', 'rating_scale', 'unit', 'clock'];

/**
 * Takes a file through the proposal, answers it, loads it and compares its numbers. With proposals taken a file is `named`
 * if it is wrong by guesses alone, which the summary names: with the truth for these, and what is proposed for all else, it
 * is right.
 */
export async function outcomeOf(seed: number, taking: Taking = {}): Promise<Outcome> {
  const file = unknownFile(seed);
  const bytes = await bytesOf(file, taking);
  if (taking.proposals !== true) return judged(file, await loadProposed(bytes, file.answer));
  const taken = judged(file, await loadProposed(bytes, proposedFor(file)));
  if (taken.is !== 'wrong' && taken.is !== 'refused') return taken;
  const told = judged(file, await loadProposed(bytes, proposedFor(file, true)));
  return told.is === 'right' || told.is === 'asked' ? { ...taken, is: 'named' } : taken;
}

const bytesOf = async (file: UnknownFile, { form = 'csv' }: Taking): Promise<Uint8Array> =>
  form === 'csv' ? file.bytes : sheetOf(file, form);

/** What is proposed, but for what nothing in a file may tell; `isTold`: values whose meaning is a guess have the true one. */
const proposedFor =
  (file: UnknownFile, isTold = false) =>
  (question: Question): unknown => {
    const { about, proposed = null, values = [] } = question;
    const guesses = isTold && about === 'meaning' ? values.filter(({ guess }) => guess === true) : [];
    if (UNTOLD.includes(about)) return file.answer(question);
    if (guesses.length === 0) return proposed;
    const truth = new Map(Object.entries(file.answer(question) ?? {}));
    const told = guesses.map(({ value }) => [value, truth.get(value) ?? null] as const);
    return { ...Object.fromEntries(Object.entries(proposed ?? {})), ...Object.fromEntries(told) };
  };

function judged(file: UnknownFile, loaded: Loaded): Outcome {
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

const ISO = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?)$/;

/** The CSV that is read of a workbook with the table of a file. */
async function sheetOf({ table }: UnknownFile, form: 'xlsx' | 'ods'): Promise<Uint8Array> {
  const rows = table.map((cells) =>
    cells.map((cell) => {
      const [, day, clock] = ISO.exec(cell) ?? [];
      return day === undefined ? cell : new Date(`${day}T${clock}Z`);
    }),
  );
  const sheets = [{ name: 'Export', rows }];
  const written = await (form === 'xlsx' ? writeXlsx({ sheets }) : writeOds({ sheets }));
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield written;
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of unpack({ name: `export.${form}`, bytes: bytes() })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The numbers that are not as expected, in words. */
export function differences(expected: Numbers, found: Numbers): string[] {
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
