import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { command } from '../../../support/service/command.ts';

let folder: string;
let place: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bad-files-'));
  place = ['--data-dir', join(folder, 'data'), '--site', 'bad'];
  await command(['site', 'add', 'bad', '--data-dir', join(folder, 'data')]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const HEAD = 'Ticket ID,Status,Created,Resolved';
const ROWS = ['1,Zorb,2026-03-01T09:00:00Z,', '2,Solved,2026-03-01T09:00:00Z,2026-03-02T09:00:00Z'];

async function load(text: string, ...args: string[]) {
  const file = join(folder, 'file.csv');
  await writeFile(file, text);
  return command(['import', file, ...place, '--dry-run', ...args]);
}

describe('a file that no help desk writes', () => {
  it('with a million columns is refused in one sentence', async () => {
    const { status, out, err } = await load(`${HEAD}${',x'.repeat(1_000_000)}\n${ROWS.join('\n')}\n`);
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(/^[^\n]*The file has more than 5000 columns: export fewer\.\n$/);
  });
});

describe('answers', () => {
  const open = [HEAD, ...ROWS].join('\n');
  it.each([
    ['a meaning that there is none of', 'meaning:Status={"Zorb":"later"}'],
    ['a value of last week', 'meaning:Status={"Gone":"open"}'],
  ])('with %s leave the question open', async (_, answer) => {
    const { status, out } = await load(open, '--answer', answer, '--json');
    expect([status, JSON.parse(out).questions[0].id]).toEqual([2, 'meaning:Status']);
  });

  it('about another file are not used, which is said', async () => {
    const answers = ['--answer', 'meaning:Status={"Zorb":"pending"}', '--answer', 'meaning:Other={"x":"open"}'];
    const { status, out } = await load(open, ...answers);
    expect([status, out]).toEqual([0, expect.stringContaining('meaning:Other')]);
  });
});
