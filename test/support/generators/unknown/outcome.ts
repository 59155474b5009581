import { writeOds } from 'hucre/ods';
import { writeXlsx } from 'hucre/xlsx';
import type { Question } from '../../../../lib/import/proposal/proposal.ts';
import { unpack } from '../../../../lib/import/unpack/unpack.ts';
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

/** How a file is taken: in which form, and with which answers. */
export interface Taking {
  readonly form?: 'csv' | 'xlsx' | 'ods'; // workbooks hold dates as dates where they are written as ISO
  /** Takes what is proposed, but for what nothing in a file could tell; else all answers are true. */
  readonly proposals?: boolean;
}

/** What nothing in a file may tell, so that a proposal is a guess. */
const UNTOLD: readonly Question['about'][] = ['zone', 'date_order', 'priority_scale', 'rating_scale', 'unit', 'clock'];

/** Takes a file through the proposal, answers it, loads it and compares its numbers. */
export async function outcomeOf(seed: number, { form = 'csv', proposals = false }: Taking = {}): Promise<Outcome> {
  const file = unknownFile(seed);
  const proposed = (question: Question): unknown =>
    UNTOLD.includes(question.about) ? file.answer(question) : (question.proposed ?? null);
  const bytes = form === 'csv' ? file.bytes : await sheetOf(file, form);
  const loaded = await loadProposed(bytes, proposals ? proposed : file.answer);
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
