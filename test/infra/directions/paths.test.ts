import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';

const ROOMS = ['bin', 'docs', 'functions', 'infra', 'lib', 'test', '.ci'];
const DESIGN = readdirSync('docs/design').map((name) => `docs/design/${name}`);

/** Every path of the repository's rooms, and the files beside them. */
const PATHS: readonly string[] = [
  ...readdirSync('.'),
  ...ROOMS.flatMap((room) => [room, ...readdirSync(room, { recursive: true }).map((path) => join(room, String(path)))]),
];

/** What the program writes into a data folder, and what lies beside the checkout. */
const ELSEWHERE = /^(\.\.\/|demo\.json$|earlier-format\/$)/;

/** The paths that a page names between backquotes or links to; `{a,b}` stands for both. */
function named(file: string): string[] {
  const page = readFileSync(file, 'utf8');
  const quoted = [...page.matchAll(/`([\w./{},-]+)`/g)]
    .flatMap(([, text = '']) => alternatives(text))
    .filter((path) => /\.(ts|js|json|md)$/.test(path) || path.includes('/'))
    .filter((path) => !ELSEWHERE.test(path));
  const links = [...page.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)].map(([, to = '']) =>
    normalize(join(file, '..', to)),
  );
  return [...quoted, ...links].map((path) => path.replace(/\/$/, ''));
}

function alternatives(text: string): string[] {
  const [, before = '', choice, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(text) ?? [];
  return choice === undefined ? [text] : choice.split(',').map((part) => `${before}${part}${after}`);
}

const exists = (path: string): boolean => PATHS.some((known) => known === path || known.endsWith(`/${path}`));

it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', ...DESIGN])('%s names no path that does not exist', (file) => {
  expect(named(file).filter((path) => !exists(path))).toEqual([]);
});
