import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { MOST_EVENTS } from '../../../lib/history/cases/most-events.ts';
import { ingest } from '../../../lib/history/live.ts';
import { mergeEvents } from '../../../lib/history/merge.ts';
import { routes } from '../../../lib/routes.ts';
import { freshHistory, largeCase } from '../../support/generators/history.ts';
import { startService } from '../../support/service/service.ts';
import { testUploads } from '../../support/service/uploads.ts';

const service = await startService(routes);
const folder = await mkdtemp(join(tmpdir(), 'large-cases-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const { bring } = testUploads(service, folder);

const repeated = (line: string): string => `${line}\n`.repeat(MOST_EVENTS.case + 1);

describe('a case of more events than a case may have', () => {
  it('is refused by the line of a small packed CSV that holds it, in one sentence', async () => {
    const packed = gzipSync(`Id,Created at\n${repeated('7,2026-10-01')}`);
    expect(packed.length).toBeLessThan(10_000);
    const mapping = { kind: 'snapshots', time: { zone: 'UTC', format: 'yyyy-MM-dd' }, case: 'Id', at: 'Created at' };
    const { status, problem } = await bring(packed, { mapping }, 'small.csv.gz');
    expect([status, problem]).toEqual([
      'failed',
      'small.csv.gz, line 200002: case "7" has more than 200,000 events, the most that a case may have. Is its column the right one for the case?',
    ]);
  });

  it('is refused by the line of NDJSON, whether or not the events differ', async () => {
    const line = '{"type":"note","id":"a","case":7,"at":"2026-10-01T10:00:00Z"}';
    const { status, problem } = await bring(repeated(line), {}, 'notes.ndjson');
    expect([status, problem]).toEqual(['failed', expect.stringMatching(/^notes\.ndjson, line 200001: case "7" has/)]);
  });

  it('is refused where single events or small files would make it so large', async () => {
    const context = freshHistory(service.table);
    const events = largeCase(MOST_EVENTS.case + 1);
    const incoming = events.map((event, index) => ({ event, line: index + 1 }));
    await expect(mergeEvents(context, new Map([['clarge', incoming]]))).rejects.toMatchObject({
      name: 'TooManyEvents',
      line: MOST_EVENTS.case + 1,
    });
    const [outcome] = await ingest(context, events);
    expect(outcome).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('more than 200,000 events') });
  });
});
