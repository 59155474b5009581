import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { OutputFile } from 'esbuild';
import { type Built, type BuiltFile, CONSOLE_PREFIX } from '../../lib/console/built.ts';
import { projectPath } from '../project.ts';
import { docsPage } from './docs.ts';
import { type Head, htmlPage } from './html.ts';

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const ENTRIES = { app: 'lib/console/app/main.tsx', docs: 'lib/console/app/docs.css' } as const;

/** Builds the console: minified modules and styles with hashes in their names, and the pages that load them. */
export async function buildConsole(): Promise<Built> {
  const { build } = await import('esbuild'); // takes 10 MB and a process, so it is imported only to build
  const { outputFiles } = await build({
    entryPoints: Object.entries(ENTRIES).map(([out, path]) => ({ in: projectPath(path), out })),
    absWorkingDir: projectPath(''),
    outdir: 'console',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[name]-[hash]',
    bundle: true,
    splitting: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
  const files = Object.fromEntries(outputFiles.map(toFile));
  const named = (start: string, end: string): string => {
    const name = Object.keys(files).find((each) => each.startsWith(start) && each.endsWith(end));
    if (name === undefined) throw new Error(`the console's build has no ${start}*${end}`);
    return `${CONSOLE_PREFIX}/console/files/${name}`;
  };
  const app: Head = { title: 'Support console', style: named('app-', '.css'), script: named('app-', '.js') };
  const document: unknown = JSON.parse(await readFile(projectPath('openapi.json'), 'utf8'));
  return {
    page: htmlPage(
      app,
      '<div id="app"><noscript>The console needs JavaScript. The API does not: see <a href="/docs">its reference</a>.</noscript></div>',
    ),
    docs: htmlPage({ title: 'API reference', style: named('docs-', '.css') }, docsPage(document)),
    files,
  };
}

function toFile({ path, text }: OutputFile): [string, BuiltFile] {
  const name = basename(path);
  const type = TYPES[name.split('.').at(-1) ?? ''];
  if (type === undefined) throw new Error(`the console's build has ${name}, of a type that is not served`);
  return [name, { type, body: text }];
}
