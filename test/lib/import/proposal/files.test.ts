import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { loadProposed } from '../../../support/generators/load-proposed.ts';

const FOLDER = join(import.meta.dirname, 'files');
const Expected = z.strictObject({
  why: z.string(),
  answers: z.record(z.string(), z.unknown()).default({}),
  asked: z.array(z.string()).default([]), // ids of the questions
  rounds: z.number().default(3), // at most
  refusal: z.string().optional(),
  rating: z.enum(['yes_no', 'four_star']).default('yes_no'), // of the site
  rejected: z.number().default(0),
  numbers: z.record(z.string(), z.unknown()).default({}),
});

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

describe('a file that nobody described', () => {
  it.each(files)('is read as %s says', async (file) => {
    const expected = Expected.parse(JSON.parse(readFileSync(join(FOLDER, file), 'utf8')));
    const bytes = readFileSync(join(FOLDER, file.replace(/\.json$/, '.csv')));
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
  });
});
