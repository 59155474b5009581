import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { MEANING_EVIDENCE } from '../../../../lib/import/proposal/evidence/meaning-evidence.ts';
import { ROLE_EVIDENCE } from '../../../../lib/import/proposal/evidence/role-evidence.ts';
import { UNIT_EVIDENCE } from '../../../../lib/import/proposal/evidence/unit-evidence.ts';
import { loadProposed } from '../../../support/generators/load-proposed.ts';

const FOLDER = join(import.meta.dirname, 'files');
const Expected = z.strictObject({
  why: z.string(),
  needs: z.array(z.string()).default([]), // entries of evidence without which it is read otherwise
  answers: z.record(z.string(), z.unknown()).default({}),
  asked: z.array(z.string()).default([]), // ids of the questions
  rounds: z.number().default(3), // at most
  refusal: z.string().optional(),
  rating: z.enum(['yes_no', 'four_star']).default('yes_no'), // of the site
  rejected: z.number().default(0),
  numbers: z.record(z.string(), z.unknown()).default({}),
});

const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({ name, expected: Expected.parse(JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))) }));

async function checkReading({ name, expected }: (typeof files)[number]): Promise<void> {
  const bytes = readFileSync(join(FOLDER, name.replace(/\.json$/, '.csv')));
  const { zone, ...answers } = expected.answers;
  const context = {
    rating: expected.rating,
    ...(zone === null ? {} : { zone: typeof zone === 'string' ? zone : 'UTC' }),
  };
  const loaded = await loadProposed(bytes, ({ id }) => answers[id], context);
  expect(loaded.asked.map(({ id }) => id)).toEqual(expected.asked);
  expect(loaded.rounds).toBeLessThanOrEqual(expected.rounds);
  expect(loaded.proposal.refusal).toBe(expected.refusal);
  expect(loaded.rejected.length).toBe(expected.rejected);
  if (loaded.numbers !== undefined) expect(loaded.numbers).toMatchObject(expected.numbers);
}

/** Every entry of evidence by its name, with its registry. */
const entries = new Map<string, { readonly registry: readonly unknown[]; readonly entry: unknown }>([
  ...ROLE_EVIDENCE.map((entry) => [entry.why, { registry: ROLE_EVIDENCE, entry }] as const),
  ...MEANING_EVIDENCE.map((entry) => [`${entry.role}: ${entry.why}`, { registry: MEANING_EVIDENCE, entry }] as const),
  ...UNIT_EVIDENCE.map((entry) => [`unit: ${entry.why}`, { registry: UNIT_EVIDENCE, entry }] as const),
]);

/** Does work while an entry is not in its registry. */
async function without(name: string, work: () => Promise<void>): Promise<void> {
  const { registry, entry } = entries.get(name) ?? { registry: [], entry: undefined };
  const at = registry.indexOf(entry);
  Reflect.apply(Array.prototype.splice, registry, [at, 1]);
  try {
    await work();
  } finally {
    Reflect.apply(Array.prototype.splice, registry, [at, 0, entry]);
  }
}

/** Entries that were there before this rule and that no file needs yet; random files have them (`unknown-files.test.ts`). */
const WITHOUT_A_FILE: readonly string[] = [
  'holds no durations',
  'holds times',
  'is empty',
  'speaks of a target by its name',
  'counts business hours',
  'has too many different values',
  'is always the same time after the creation, as a target is',
  'is filled for open cases too, as a target is',
  'holds words of statuses',
  'has an unknown name, and lies between the creation and the end',
  'note: the messages of customers have it, and they write no notes',
  'unit: leads past the last time of the file',
  'unit: leads past the end of the case',
];

describe('a file that nobody described', () => {
  it.each(files)('is read as $name says', checkReading);
});

describe('an entry of evidence', () => {
  const needed = files.flatMap((file) => file.expected.needs.map((entry) => ({ entry, file, name: file.name })));

  it('has a file that needs it', () => {
    const named = [...needed.map(({ entry }) => entry), ...WITHOUT_A_FILE];
    expect(named.sort()).toEqual([...entries.keys()].sort());
  });

  it.each(needed)('is missed by $name: $entry', async ({ entry, file }) => {
    await expect(without(entry, () => checkReading(file))).rejects.toThrow();
  });
});
