import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const EXPORT = /^export (?:async )?(?:const|function\*?|interface|type|class) (\w+)/gm;
const BROWSER = join('lib', 'console'); // speaks of the same things by the same names, and imports none of them

const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));

/** Names that several files export, with these files; a type and a value of one file are one thing. */
function shared(files: readonly string[]): string[] {
  const found = new Map<string, Set<string>>();
  for (const file of files) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(EXPORT))
      found.set(name, (found.get(name) ?? new Set()).add(file));
  }
  return [...found].flatMap(([name, places]) => (places.size > 1 ? [`${name}: ${[...places].join(', ')}`] : []));
}

it.each([
  ['of the service', [...sources('lib').filter((file) => !file.startsWith(BROWSER)), ...sources('infra')]],
  ['of the console', sources(BROWSER)],
])('no two exports %s have one name for two things', (_, files) => {
  expect(files.length).toBeGreaterThan(50);
  expect(shared(files)).toEqual([]);
});
