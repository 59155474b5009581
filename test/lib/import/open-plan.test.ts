import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPack } from '../../../infra/cli/import/recognise.ts';
import { type FileChoices, planOpening } from '../../../lib/import/open-plan.ts';
import type { Answers } from '../../../lib/import/proposal/proposal.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'open-plan-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function planned(name: string, content: string, said: FileChoices = {}, answers: Answers = {}) {
  const path = join(folder, name);
  await writeFile(path, content, 'latin1');
  return planOpening({ path, findPack, context: {} }, said)(answers);
}

const NOTE = '{"type":"note","id":1,"at":"2026-01-01T00:00:00Z","case":1}\n';
const TICKETS = 'Ticket ID,Status,Created\n1,Open,2026-03-01 09:00\n2,Open,2026-03-02 09:00\n';
const FRESHDESK = [
  'Ticket ID,Subject,Status,Source,Agent,Created time,Last update time',
  '1,Help,Open,Email,\xe8\xe8ra,2026-03-01 09:00:00,2026-03-01 09:00:00',
].join('\n');

describe('the plan of opening a file', () => {
  it.each([
    ['records', 'notes.txt', NOTE, { format: 'ndjson', isRecognised: true }],
    ['records with a long first line', 'long.txt', `{"type":"note","x":"${'x'.repeat(300_000)}`, { format: 'ndjson' }],
    ['nothing', 'empty.txt', '', { format: 'ndjson', isRecognised: false }],
    ['a table', 'tickets.txt', TICKETS, { format: 'csv', isRecognised: false }],
    ['an export of a pack', 'export.txt', FRESHDESK, { format: 'freshdesk-tickets-csv', isRecognised: true }],
  ])('finds the format of %s by what is in it', async (_, name, content, expected) => {
    expect(await planned(name, content)).toMatchObject(expected);
  });

  it.each([
    ['JSON of another kind, though its commas make columns', 'a.txt', '{"a":1,"b":2}\n{"a":3,"b":4}\n', /no format/],
    ['a CSV of one column', 'one.csv', 'Ticket\n1\n', /is no CSV: it has no header with at least two columns\.$/],
    ['an empty CSV', 'empty.csv', '', /empty\.csv is empty\.$/],
    ['a header alone', 'header.csv', 'Ticket ID,Status\n', /a header and no rows/],
  ])('says why it cannot open %s', async (_, name, content, expected) => {
    const { refusal, choices } = await planned(name, content);
    expect([refusal, choices]).toEqual([expect.stringMatching(expected), undefined]);
  });

  it('leaves open what a CSV does not say, and knows which answers were of no question', async () => {
    const open = await planned('open.csv', TICKETS);
    expect([open.questions.map(({ id }) => id), open.choices]).toEqual([['zone'], undefined]);
    const answered = await planned('open.csv', TICKETS, {}, { zone: 'UTC', 'role:Gone': null });
    expect(answered).toMatchObject({
      ...{ questions: [], ignored: ['role:Gone'], marks: { ids: ['1', '2'] } },
      choices: { format: 'csv', mapping: { kind: 'tickets' } },
    });
  });

  it('leaves open the encoding of a pack alone', async () => {
    const open = await planned('pack.csv', FRESHDESK);
    expect([open.questions.map(({ id }) => id), open.choices]).toEqual([['encoding'], undefined]);
    const answered = await planned('pack.csv', FRESHDESK, {}, { encoding: 'windows-1250', zone: 'UTC' });
    expect([answered.ignored, answered.choices]).toEqual([
      ['zone'],
      expect.objectContaining({ format: 'freshdesk-tickets-csv', encoding: 'windows-1250' }),
    ]);
  });

  it('asks nothing of a file whose format was named, and does not read standard input', async () => {
    expect(await planned('named.csv', TICKETS, { format: 'ndjson' })).toMatchObject({
      ...{ questions: [], why: 'it was chosen', choices: { format: 'ndjson' } },
    });
    const plan = await planOpening({ path: '-', findPack, context: {} }, {})({});
    expect(plan).toMatchObject({ start: { name: '' }, choices: { format: 'ndjson' } });
  });
});
