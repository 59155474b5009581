import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Brought, CONTACT_TIME, type ContactCase, PROPOSED, SILENT } from '../../../support/first-contact.ts';
import { command } from '../../../support/service/command.ts';

let folder: string;
let place: readonly string[];
let sites = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'first-contact-'));
  place = ['--data-dir', join(folder, 'data')];
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const wordsOf = ({ path, format, zone, isComplete, isAssumed }: Brought): string[] => [
  path,
  ...(format === undefined ? [] : ['--format', format]),
  ...(zone === undefined ? [] : ['--zone', zone]),
  ...(isComplete ? ['--complete'] : []),
  isAssumed ? '--assume' : '--yes',
];

/** The numbers of a site of its own after it has imported files: field → number. */
async function imported({ imports, numbers }: ContactCase): Promise<unknown> {
  const fields = Object.keys(numbers);
  sites += 1;
  const site = ['--site', `contact${sites}`, ...place];
  await command(['site', 'add', `contact${sites}`, ...place]);
  for (const one of imports) {
    const { status, out, err } = await command(['import', ...wordsOf(one), ...site]);
    expect([status, err, out]).toEqual([0, '', expect.any(String)]);
  }
  const report = join(folder, 'report.json');
  await writeFile(report, JSON.stringify({ fields, time: CONTACT_TIME }));
  const { out } = await command(['report', report, ...site, '--output', 'csv']);
  const cells = out.trim().split(/\r?\n/).at(-1)?.split(',').slice(-fields.length) ?? [];
  return Object.fromEntries(fields.map((field, at) => [field, cells[at] === '' ? null : Number(cells[at])]));
}

describe('a small file that was once read wrongly', () => {
  it.each(SILENT)('has the right numbers: $name', async (one) => {
    expect(await imported(one)).toEqual(one.numbers);
  });
});

describe('a file whose proposals were once wrong or refused', () => {
  it.each(PROPOSED)('has the right numbers with all of them taken: $name', async (one) => {
    expect(await imported(one)).toEqual(one.numbers);
  });
});
