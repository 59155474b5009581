import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPack } from '../../../../infra/cli/import/recognise.ts';
import { readInThread } from '../../../../infra/local/threads/rows-in-thread.ts';
import { caseSubject, type Subject } from '../../../../lib/history/cases/subject.ts';
import { newFindings } from '../../../../lib/import/formats/findings.ts';
import { ImportFault } from '../../../../lib/import/formats/import-fault.ts';
import { newInputs } from '../../../../lib/import/formats/inputs.ts';
import { newLineNumbers } from '../../../../lib/import/formats/line-numbers.ts';
import type { ImportFiles } from '../../../../lib/import/import-files.ts';
import type { Mapping } from '../../../../lib/import/mapping/mapping.ts';
import { parseMapping } from '../../../../lib/import/mapping/parse-mapping.ts';
import { openPack } from '../../../../lib/import/open-pack.ts';
import { type ReadNotes, type ReadTask, type RowsReading, readHere } from '../../../../lib/import/read-task.ts';
import type { ReadStoredEvents } from '../../../../lib/import/zendesk/earlier-comments.ts';
import { ZENDESK_DEFAULTS } from '../../../../lib/import/zendesk/options.ts';
import { ALL_TELLINGS } from '../../../../lib/vocabulary.ts';
import { madeAudits, madeTables } from '../../../bench/data/zendesk-export.ts';

const CSV = 'test/data/requests.csv';
let mapping: Mapping;
let folder: string;
let files: string; // to be read
beforeAll(async () => {
  mapping = parseMapping(await readFile('test/data/requests.mapping.json', 'utf8'), 'map.json');
  folder = await mkdtemp(join(tmpdir(), 'thread-'));
});
beforeEach(async () => {
  files = await mkdtemp(join(tmpdir(), 'thread-files-'));
});
afterEach(() => rm(files, { recursive: true }));
afterAll(() => rm(folder, { recursive: true }));

const write = async (name: string, text: string | Uint8Array): Promise<string> => {
  await writeFile(join(files, name), text);
  return join(files, name);
};

const csvTask = (path: string): ReadTask => ({ format: 'csv', files: [{ path, mapping }], folder });
const asked: Subject[] = [];
const newNotes = () => {
  const eventsOf: ReadStoredEvents = async (subjects) => {
    asked.push(...subjects);
    const note = { type: 'note' as const, id: 'zd:c:0000000000000077', at: 5, case: '9', agent: 3 };
    return new Map(subjects.map((subject) => [subject, [note]]));
  };
  return { lineNumbers: newLineNumbers(), findings: newFindings(), eventsOf };
};

/** All that a reading gives, save the text of rows of NDJSON and of those that are well formed, which stays behind. */
async function allOf({ batches, position, rows }: RowsReading, { lineNumbers, findings }: ReadNotes, keepsText = true) {
  const all: unknown[] = [];
  const headers = new Set<string | undefined>();
  const told = new Set<string>();
  for await (const batch of batches) {
    const isWhole = 'cases' in batch;
    if (isWhole) for (const each of batch.tells ?? []) told.add(each);
    for (const { raw, ...row } of isWhole ? batch.cases : batch) {
      const text = Buffer.from(raw ?? '').toString('latin1'); // a Buffer arrives as Uint8Array
      headers.add(lineNumbers.header(lineNumbers.of(row.line).file));
      all.push([isWhole, lineNumbers.of(row.line), row, 'reason' in row && keepsText ? text : '']);
    }
  }
  return { all, headers, told, position: position(), rows: rows(), findings: findings.summary() };
}

/** What is read of a task in a thread, which is what is read without one. */
async function readBoth(task: ReadTask) {
  const [here, there] = [newNotes(), newNotes()];
  const expected = await allOf(readHere(task, newInputs(), here), here, task.format !== 'ndjson');
  const found = await allOf(readInThread(task, there), there);
  expect(found).toEqual(expected);
  return expected;
}

describe('files read in a thread', () => {
  it('give of a CSV what they give without one', async () => {
    const wrong = Uint8Array.from([0xff, 0x0a]); // a line that comes as bytes
    const path = await write('requests.csv', Buffer.concat([await readFile(CSV), wrong]));
    const { all, rows, position } = await readBoth(csvTask(path));
    expect([rows, all.length, position]).toEqual([{ read: 14, given: 14 }, 18, (await stat(path)).size]);
  });

  it('give of NDJSON all but the text of its lines', async () => {
    const created = { type: 'case.created', id: 1, at: '2026-01-01T00:00:00Z', case: 'größer', labels: [2] };
    const lines = [JSON.stringify(created), '', '{"type":"label","id":7,"name":"seven"}', '{"type":"note"}'];
    const path = await write('records.ndjson', lines.join('\n'));
    const { all, position } = await readBoth({ format: 'ndjson', path });
    expect([all.length, position]).toEqual([3, (await stat(path)).size]);
  });

  it("give of Zendesk's files the same, and ask for what the site holds of their tickets", async () => {
    const privacy = { id: 5, ticket_id: 9, created_at: '2026-01-01T00:00:00Z', author_id: 1, via: { channel: 'web' } };
    const made = { type: 'CommentPrivacyChange', comment_id: 77, public: true };
    const paths = [
      await write('1.ndjson', [...madeAudits(20), '{"id":1,"ticket_id":', '{"no":"kind"}'].join('')),
      await write(
        '2.ndjson',
        `${JSON.stringify({ ...privacy, events: [made] })}\n{"ticket_id":3,"events":[],"author_id":1}`,
      ),
    ];
    asked.length = 0;
    const read = await readBoth({ format: 'zendesk', paths, folder, options: ZENDESK_DEFAULTS });
    const tickets = Array.from({ length: 20 }, (_, at) => caseSubject(String(at + 1))); // all have comments
    expect([...asked].sort()).toEqual([...tickets, ...tickets].sort()); // here, and in the thread
    expect(JSON.stringify(read.all)).toContain('"type":"interaction","id":"zd:c:0000000000000077"');
    expect([...read.told]).toEqual(ALL_TELLINGS);
    expect(read.all.filter((row) => JSON.stringify(row).includes('"reason"')).length).toBeGreaterThan(0);
  });

  it('give of the tables of a pack the same, with the sources and files of what is rejected', async () => {
    for (const [name, lines] of Object.entries(madeTables(20))) await write(name, [...lines()].join(''));
    await writeFile(join(files, 'ticket_comment.csv'), '1,1,7,true,never\n', { flag: 'a' });
    const read = async (isThreaded: boolean) => {
      const pack = await findPack('fivetran-zendesk', 'UTC');
      const apart = { readElsewhere: (task: ReadTask, _: unknown, notes: ReadNotes) => readInThread(task, notes) };
      const opening = { path: files, pack, zone: 'UTC', folder, ...(isThreaded ? apart : {}) };
      const source: ImportFiles = await openPack(opening);
      const lineNumbers = {
        ...newLineNumbers(),
        of: source.placeOf,
        header: (file: string) => source.rejects(file).header(),
      };
      return allOf(source, { ...newNotes(), lineNumbers, findings: source.findings });
    };
    const expected = await read(false);
    expect(await read(true)).toEqual(expected);
    expect(JSON.stringify(expected.all)).toContain('"source":"fivetran-zendesk:ticket_comment"},"');
    expect(expected.rows?.given).toBe(expected.rows?.read);
  });

  it("tell a person's mistake in one sentence", async () => {
    const task = csvTask(await write('other.csv', 'a,b\n1,2\n'));
    const notes = newNotes();
    const reading = allOf(readInThread(task, notes), notes);
    await expect(reading).rejects.toThrow(ImportFault);
    await expect(reading).rejects.toThrow(/^The mapping names the column ".*", which the file does not have/);
  });

  it('fail where the thread does, and end with who asks for batches', async () => {
    const broken = { ...mapping, at: null } as unknown as Mapping;
    const notes = newNotes();
    const task: ReadTask = { format: 'csv', files: [{ path: CSV, mapping: broken }], folder };
    await expect(allOf(readInThread(task, notes), notes)).rejects.toThrow(/reading 'format'/);
    for await (const _ of readInThread(csvTask(CSV), newNotes()).batches) break;
    expect(await readdir(folder)).toEqual([]);
  });
});
