import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routes } from '../../../lib/routes.ts';
import { startService } from '../../support/service/service.ts';
import { testUploads } from '../../support/service/uploads.ts';

const folder = await mkdtemp(join(tmpdir(), 'opened-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const uploads = testUploads(await startService(routes), folder);

describe('a file over HTTP', () => {
  it.each([
    ['is empty', 'records.ndjson', '', 'records.ndjson is empty.'],
    ['has a header alone', 'tickets.csv', 'Ticket ID,Status', 'The file has a header and no rows.'],
    ['has one column', 'one.csv', 'a\n1', 'one.csv is no CSV: it has no header with at least two columns.'],
    [
      'is JSON of another kind',
      'a.json',
      '{"a":1,"b":2}\n{"a":3,"b":4}',
      'a.json is in no format that can be imported',
    ],
  ])('that %s fails with a sentence that has its own name', async (_, name, content, problem) => {
    const upload = await uploads.bring(content, {}, name);
    expect([upload.status, upload.problem]).toEqual(['failed', expect.stringMatching(new RegExp(`^${problem}`))]);
  });

  it('shows its rows, what it was taken for and what it leaves open', async () => {
    const { found, checked } = await uploads.bring('Ticket ID,Status,Created\n1,Open,2026-03-01 09:00\n');
    expect(checked).toBeNull();
    expect(found).toMatchObject({
      ...{ format: 'csv', why: 'it has the columns Ticket ID, Status, Created', mapping: null, form: null },
      preview: { header: ['Ticket ID', 'Status', 'Created'], rows: [['1', 'Open', '2026-03-01 09:00']] },
      questions: [{ id: 'zone' }],
      proposal: { kind: 'tickets', columns: ['Ticket ID', 'Status', 'Created'] },
    });
  });
});
