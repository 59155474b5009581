import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { placesIn } from '../../functions/places.ts';
import { bundle } from '../../infra/bundle.ts';

const folder = mkdtempSync(join(process.env.TEST_FOLDER ?? tmpdir(), 'places-'));
const SOURCE = join(folder, 'faulty.ts');
const BUNDLE = join(folder, 'index.mjs');
const MAP = pathToFileURL(`${BUNDLE}.map`);

it('names the places of a stack trace in the sources', async () => {
  writeFileSync(SOURCE, '// a comment\n\nexport function fail(): never {\n  throw new Error("always");\n}\n');
  await bundle(SOURCE, BUNDLE);
  const code = readFileSync(BUNDLE, 'utf8');
  const column = code.indexOf('throw') - code.lastIndexOf('\n', code.indexOf('throw'));
  const line = code.slice(0, code.indexOf('throw')).split('\n').length;
  const stack = `Error: always\\n    at t (file:///var/task/index.mjs:${line}:${column})`;
  const told = placesIn(MAP)(JSON.stringify({ stack }));
  expect(told).toContain('faulty.ts:4:3)');
  expect(told).not.toContain('index.mjs');
  expect(JSON.parse(told)).toMatchObject({ stack: expect.stringContaining('Error: always') });
});

it('leaves a line as it is that names no place, or where there is no map', () => {
  const nowhere = placesIn(new URL('absent.map', MAP));
  for (const text of ['{"message":"request"}', 'at file:///var/task/index.mjs:1:20']) expect(nowhere(text)).toBe(text);
});
