import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { eventRecord } from '../../../../lib/import/export/event-record.ts';
import { madeSnapshots, SNAPSHOT_MAPPING } from '../../../bench/data/snapshot-log.ts';
import { writeLines } from '../../../bench/data/write-lines.ts';
import { itAtLength } from '../../../support/generators/depth.ts';
import { manyEvents } from '../../../support/generators/history.ts';
import { command } from '../../../support/service/command.ts';
import { run, runKilled } from '../../../support/service/program.ts';

const note = (id: number, more = {}) =>
  JSON.stringify({ type: 'note', id, at: '2026-01-01T00:00:00Z', case: 1, ...more });

let folder: string;
let place: readonly string[];
const load = (...args: string[]) => command(['import', ...args, '--site', 'acme', ...place]);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'support-'));
  place = ['--data-dir', join(folder, 'data')];
  expect((await command(['site', 'add', 'acme', ...place])).status).toBe(0);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A report after an import, and after the same one into another site that was killed after some ms each before it ran through. */
async function straightAndKilled(name: string, kills: readonly number[], words: readonly string[], request: string) {
  const reports = [];
  for (const [site, killed] of [
    [name, []],
    [`killed-${name}`, kills],
  ] as const) {
    const own = ['--site', site, '--data-dir', join(folder, site)];
    expect((await command(['site', 'add', site, ...own.slice(2)])).status).toBe(0);
    for (const after of killed) await runKilled(['import', ...words, ...own], after);
    const { status, out } = await run(['import', ...words, ...own, '--json']);
    const { events, added, unchanged } = JSON.parse(out);
    expect([status, added + unchanged]).toEqual([0, events]);
    reports.push(await command(['report', request, ...own, '--output', 'csv']));
  }
  return reports;
}

describe('support import', () => {
  it('ends with status 2 and a way out where a source must be chosen, or takes no versions', async () => {
    const file = join(folder, 'held.ndjson');
    await writeFile(file, note(1, { case: 'held' }));
    expect((await load(file, '--source', 'held-log')).status).toBe(0);
    const replacing = await load(file, '--source', 'held-log', '--replace');
    expect([replacing.status, replacing.out]).toEqual([2, '']);
    expect(replacing.err).toContain('leave out --replace, or name another source with --source');
    const held = await load(file, '--replace');
    expect([held.status, held.out]).toEqual([2, '']);
    expect(held.err).toContain("choose this file's source with --source");
  });

  it('loads what is right, writes what is wrong as it came, and changes nothing the second time', async () => {
    const file = join(folder, 'events.ndjson.gz');
    await writeFile(file, gzipSync(`${note(1)}\nnonsense\r\n${note(2)}\n${note(1, { agent: 5 })}\n`));
    const first = await load(file, '--json');
    expect([first.status, JSON.parse(first.out)]).toEqual([
      1,
      {
        file,
        site: 'acme',
        dryRun: false,
        source: null,
        rejected: 2,
        records: { note: 3 },
        events: 3,
        leftOut: 0,
        cases: { added: 1, changed: 0 },
        period: { first: '2026-01-01T00:00:00Z', last: '2026-01-01T00:00:00Z' },
        added: 2,
        replaced: 0,
        unchanged: 0,
        superseded: 0,
        removed: 0,
        erased: 0,
        known: 0,
        fates: { note: { added: 2, replaced: 0, unchanged: 0, superseded: 0, conflict: 1 } },
        messages: { inbound: 0, outbound: 0 },
        took: { reading: expect.any(Number), storing: expect.any(Number), folding: expect.any(Number) },
        rejections: [
          { reason: 'the line is not JSON', count: 1, first: [`${file}:2`] },
          { reason: expect.stringContaining('the id of another event'), count: 1, first: [`${file}:4`] },
        ],
        met: {},
        ignored: {},
        warnings: [],
        rejectedFile: `${file}.rejected.ndjson`,
        rejectedFiles: [`${file}.rejected.ndjson`],
      },
    ]);
    expect(first.err).toBe(
      `${file}:2: the line is not JSON\n${file}:4: id: "1" is already the id of another event of case 1, which stays\n`,
    );
    expect(await readFile(`${file}.rejected.ndjson`, 'utf8')).toBe(`nonsense\n${note(1, { agent: 5 })}\n`);

    await rm(`${file}.rejected.ndjson`);
    const second = await load(file, '--dry-run');
    expect([second.status, second.out]).toEqual([
      1,
      expect.stringContaining(
        '0 events would be added, 2 are there already. Nothing was written.\n2 lines rejected.\n',
      ),
    ]);
    expect(await readdir(folder)).not.toContain('events.ndjson.gz.rejected.ndjson');
  });

  it('reads a large file in a thread, and writes what is wrong as it came', async () => {
    const file = join(folder, 'large.ndjson');
    const padding = 'x'.repeat(4_000); // of a key that means nothing
    const lines = Array.from({ length: 2_100 }, (_, id) => note(id, { case: `large ${id}`, padding }));
    const wrong = Buffer.from('{"type":"caf\xe9"}\r\n', 'latin1');
    await writeFile(file, Buffer.concat([Buffer.from(`${lines.join('\n')}\nnonsense\n`), wrong]));
    const { status, out, err } = await load(file, '--json');
    expect([status, JSON.parse(out)]).toMatchObject([1, { events: 2_100, added: 2_100, rejected: 2 }]);
    const reasons = err.split('\n').filter((line) => !/^(reading|storing|folding) /.test(line)); // a slow machine shows progress
    expect(reasons.join('\n')).toBe(`${file}:2101: the line is not JSON\n${file}:2102: the line is not UTF-8\n`);
    expect((await readFile(`${file}.rejected.ndjson`)).toString('latin1')).toBe('nonsense\n{"type":"caf\xe9"}\n');
  });

  it('reads a pipe, which can be read only once, as records or as what its format says', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const piped = async (text: string, ...args: string[]) => {
      const [loaded] = await Promise.all([load(pipe, '--dry-run', '--json', ...args), writeFile(pipe, text)]);
      return JSON.parse(loaded.out).events;
    };
    expect(await piped(note(1))).toBe(1);
    expect(await piped(note(1), '--format', 'ndjson')).toBe(1);
    const csv = await readFile('test/data/requests.csv', 'utf8');
    expect(await piped(csv, '--map', 'test/data/requests.mapping.json')).toBeGreaterThan(10);
    const { status, err } = await load(pipe, '--format', 'csv');
    expect([status, err]).toEqual([
      2,
      expect.stringContaining('can be read only once, so a CSV of it needs a mapping'),
    ]);
    const [wrong] = await Promise.all([load(pipe), writeFile(pipe, `${note(1)}\nnonsense\n`)]);
    expect([wrong.status, wrong.err]).toEqual([1, `${pipe}:2: the line is not JSON\n`]);
    expect(await readFile(`${pipe}.rejected.ndjson`, 'utf8')).toBe('nonsense\n');
  });

  it.each([[[]], [['--complete']]])('ends with status 0 where all of it is older, and says so: %j', async (more) => {
    const file = join(folder, 'week.ndjson');
    const site = `weeks${more.length}`;
    const own = ['--site', site, ...place];
    expect((await command(['site', 'add', site, ...place])).status).toBe(0);
    const exported = async (day: string, ...ids: number[]) => {
      await writeFile(file, ids.map((id) => `${note(id)}\n`).join(''));
      const options = ['--source', 'weekly', '--replace', '--as-of', `${day}T00:00:00Z`, ...more];
      const { status, out, err } = await command(['import', file, ...options, ...own]);
      return [status, err, out.includes('All of it is older than what its source said before: it changes nothing.')];
    };
    expect(await exported('2026-02-08', 1, 2)).toEqual([0, '', false]);
    expect(await exported('2026-02-01', 1, 3, 4)).toEqual([0, '', true]);
    const { out } = await command(['source', 'list', ...own, '--json']);
    expect(JSON.parse(out)).toMatchObject([{ source: 'weekly', events: 2 }]);
  });

  it('takes a CSV by its mapping and writes rejected rows under the header', async () => {
    const csv = await readFile('test/data/requests.csv');
    const file = join(folder, 'requests.csv');
    await writeFile(file, csv);
    const { status, out, err } = await load(file, '--map', 'test/data/requests.mapping.json');
    expect([status, err.split('\n').length]).toEqual([1, 5]);
    expect(out).toMatch(/case\.created +4\n/);
    const rejected = (await readFile(`${file}.rejected.csv`, 'utf8')).split('\n');
    expect(rejected[0]).toMatch(/^Case ID;Activity/);
    expect(rejected).toHaveLength(6);
  });

  it('ends in the same reports when it was killed on its way and runs again', async () => {
    const file = join(folder, 'many.ndjson');
    await writeFile(
      file,
      manyEvents()
        .map((event) => `${JSON.stringify(eventRecord(event))}\n`)
        .join(''),
    );
    const request = join(folder, 'request.json');
    const time = { min: '2023-01-01T00:00:00Z', max: '2026-01-01T00:00:00Z', window_size: 'month' };
    const fields = ['inbound_interactions', 'outbound_interactions', 'case_resolves', 'case_reopens'];
    await writeFile(request, JSON.stringify({ fields, time, dimension1: 'action_agent' }));
    const reports = await straightAndKilled('events', [350, 500, 650, 900], [file], request);
    expect(reports[0]).toMatchObject({ status: 0, err: '' });
    expect(reports[0]?.out.split('\r\n').length).toBeGreaterThan(20);
    expect(reports[1]).toEqual(reports[0]);
  });

  itAtLength(
    'ends in the same reports when a large CSV was killed on its way, whose rows are read in a thread',
    async () => {
      const file = join(folder, 'snapshots.csv');
      await writeLines(file, madeSnapshots(27_000)); // 8.5 MB: from 8 a file is worth a thread
      const request = join(folder, 'request.json');
      const time = { min: '2016-01-01T00:00:00Z', max: '2018-01-01T00:00:00Z', window_size: 'month' };
      const fields = ['case_creates', 'case_resolves', 'case_reopens', 'avg_time_to_resolution'];
      await writeFile(request, JSON.stringify({ fields, time, dimension1: 'assigned_group' }));
      const reports = await straightAndKilled('csv', [700, 1_000, 1_400], [file, '--map', SNAPSHOT_MAPPING], request);
      expect(reports[0]).toMatchObject({ status: 0, err: '' });
      expect(reports[0]?.out.split('\r\n').length).toBeGreaterThan(500);
      expect(reports[1]).toEqual(reports[0]);
    },
  );

  it('says in one sentence what a person did wrong', async () => {
    const broken = join(folder, 'broken.gz');
    await writeFile(broken, gzipSync(`${note(1)}\n`.repeat(1_000)).subarray(0, 100));
    const said = async (...args: string[]) => {
      const { status, out, err } = await load(...args);
      return [status, out, err.trim().split('\n')];
    };
    expect(await said(broken)).toEqual([2, '', [expect.stringMatching(/is a broken gzip file \(unexpected end of/)]]);
    await mkdir(join(folder, 'empty'));
    await writeFile(join(folder, 'empty', 'readme.txt'), 'hello');
    expect(await said(join(folder, 'empty'))).toEqual([
      2,
      '',
      [expect.stringMatching(/^Nothing in .*empty was recognised: say .* or \.\/my-pack\.$/)],
    ]);
    expect(await said(join(folder, 'empty'), '--format', 'csv')).toEqual([
      2,
      '',
      [expect.stringMatching(/empty is a folder: name a file, or - for standard input\.$/)],
    ]);
    const activities = join(folder, 'activities.json');
    await writeFile(activities, '{"activities_data":[{"ticket_id":7}]}');
    expect(await said(activities)).toEqual([
      2,
      '',
      [
        expect.stringMatching(
          /^Nothing in .*activities\.json was recognised: say .* If it is a CSV, npx support mapping /,
        ),
      ],
    ]);
    const csv = join(folder, 'x.csv');
    await writeFile(csv, 'a,b\n1,2\n');
    for (const [format, what] of [
      ['fivetran-zendesk', 'the pack fivetran-zendesk'],
      ['zendesk', '--format zendesk'],
      ['ndjson', '--format ndjson'],
    ] as const)
      expect(await said(csv, '--format', format, '--zone', 'Asia/Tokyo')).toEqual([
        2,
        '',
        [`--zone has no meaning with ${what}, which says the zone of its times: leave it out.`],
      ]);
  });

  it('says that a file has nothing to import, and what standard input was read as', async () => {
    const empty = join(folder, 'empty.ndjson');
    await writeFile(empty, '');
    const nothing = 'Note: No record was found to import. Check that it is the right file, and that it is whole.';
    expect((await load(empty, '--dry-run')).out).toContain(nothing);
    expect((await load(empty)).out).toContain(nothing);
    const csv = await run(['import', '-', '--site', 'acme', ...place, '--dry-run'], { input: 'case,time\n1,2\n' });
    expect(csv.status).toBe(1);
    expect(csv.out).toContain(
      'Note: Standard input was read as NDJSON. If it holds something else, name it: --format, or --map for a CSV.',
    );
    expect(csv.out).not.toContain('No record was found');
  });
});
