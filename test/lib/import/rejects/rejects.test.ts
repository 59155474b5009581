import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pickLines } from '../../../../lib/import/formats/lines.ts';
import { csvRows } from '../../../../lib/import/import-files.ts';
import { parseMapping } from '../../../../lib/import/mapping/parse-mapping.ts';
import { openRejects } from '../../../../lib/import/rejects/rejects.ts';
import { bytesOf } from '../../../support/generators/read-rows.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rejects-'));
});
afterAll(() => rm(folder, { recursive: true }));

function open(name: string | undefined, header?: string) {
  const reported: [number, string][] = [];
  const rejects = openRejects({
    path: name === undefined ? undefined : join(folder, name),
    header: () => header,
    report: (line, reason) => reported.push([line, reason]),
    again: (lines) => pickLines(bytesOf('one\ntwo\nthree\n'), lines),
  });
  return { rejects, reported };
}

describe('openRejects', () => {
  it('writes lines as they came, once each, and counts them once', async () => {
    const { rejects, reported } = open('a');
    rejects.add({ line: 1, raw: 'one', reason: 'first' });
    rejects.add({ line: 1, raw: 'one', reason: 'second' });
    rejects.add({ line: 9, raw: Uint8Array.from([0x7b, 0xff]), reason: 'bytes' });
    expect([rejects.count(), await rejects.close()]).toEqual([2, join(folder, 'a')]);
    expect(await readFile(join(folder, 'a'))).toEqual(Buffer.from([...Buffer.from('one\n{'), 0xff, 0x0a]));
    expect(reported).toEqual([
      [1, 'first'],
      [1, 'second'],
      [9, 'bytes'],
    ]);
  });

  it('reads the file again for lines that came without their text, and puts a header first', async () => {
    const { rejects } = open('b', 'header');
    rejects.add({ line: 3, reason: 'conflict' });
    rejects.add({ line: 2, reason: 'conflict' });
    await rejects.close();
    expect(await readFile(join(folder, 'b'), 'utf8')).toBe('header\ntwo\nthree\n');
  });

  it('replaces no file and follows no link: the next number is its name', async () => {
    const victim = join(folder, 'victim');
    await writeFile(victim, 'precious');
    await symlink(victim, join(folder, 'd.rejected.csv'));
    await writeFile(join(folder, 'd.rejected.2.csv'), 'earlier');
    const { rejects } = open('d.rejected.csv');
    rejects.add({ line: 1, raw: 'one', reason: 'x' });
    expect(await rejects.close()).toBe(join(folder, 'd.rejected.3.csv'));
    expect(await readFile(victim, 'utf8')).toBe('precious');
    expect(await readFile(join(folder, 'd.rejected.2.csv'), 'utf8')).toBe('earlier');
  });

  it('makes no file where there is nothing to write, or in a dry run', async () => {
    expect(await open('c').rejects.close()).toBeUndefined();
    const { rejects } = open(undefined);
    rejects.add({ line: 1, raw: 'one', reason: 'x' });
    rejects.add({ line: 2, reason: 'x' });
    expect([rejects.count(), await rejects.close()]).toEqual([2, undefined]);
    await expect(readFile(join(folder, 'c'))).rejects.toThrow('ENOENT');
  });

  it('gives no reason that a spreadsheet would run', () => {
    const fields = { kind: 'snapshots', time: { zone: 'UTC', format: 'yyyy-MM-dd' }, case: 'Id', at: 'At' };
    const mapping = parseMapping(JSON.stringify(fields), 'm', 'UTC');
    const files = { headerOf: () => undefined, bytesAgain: () => bytesOf('') };
    const { because } = csvRows(files, () => mapping).rejects('f');
    expect(['=1', '＝1', '@a', 'no'].map((reason) => because?.(reason))).toEqual([
      ',"\'=1"',
      ',"\'＝1"',
      ',"\'@a"',
      ',"no"',
    ]);
  });
});
