import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { keepFile, sweepFiles, uploadPath } from '../../../infra/local/uploads/files.ts';
import { plainName } from '../../../lib/uploads/receive.ts';

describe('the name of a file that comes over HTTP', () => {
  it('ends like that of no unfinished file, which alone is swept', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'names-'));
    const pathOf = (id: number, name: string) => uploadPath(folder, { site: 'acme', id, name: plainName(name) });
    for (const [id, name] of ['data.csv.part', 'data.csv~part', 'data.csv'].entries())
      await keepFile(pathOf(id, name), Readable.from([Buffer.from('a')]));
    await writeFile(join(folder, 'acme', '2', 'other.csv~part'), 'a');
    await sweepFiles(folder, Date.now(), async () => false);
    expect((await readdir(join(folder, 'acme'))).sort()).toEqual(['0', '1']);
    await rm(folder, { recursive: true });
  });

  it('fits a file system with all that lies beside it, and keeps its ending', () => {
    for (const name of ['x', '\u{20000}', 'ä', '語'].map((letter) => `${letter.repeat(300)}.csv`)) {
      expect(Buffer.byteLength(`${plainName(name)}.rejected.ndjson~part`)).toBeLessThan(255);
      expect(plainName(name)).toMatch(/.\.csv$/);
    }
    expect(plainName('../..')).toBe('file');
  });
});
