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

const ENTRIES = { app: 'lib/console/app/main.tsx', docs: 'lib/console/app/style/docs.css' } as const;

/** Built apart, so that what a link shows loads nothing of the console, and the console nothing for links. */
const SHARED = { shared: 'lib/console/app/shared/main.tsx' } as const;

/** Builds the console: minified modules and styles with hashes in their names, and the pages that load them. */
export async function buildConsole(): Promise<Built> {
  const { build } = await import('esbuild'); // takes 10 MB and a process, so it is imported only to build
  const filesOf = async (entries: Readonly<Record<string, string>>): Promise<Built['files']> => {
    const { outputFiles } = await build({
      entryPoints: Object.entries(entries).map(([out, path]) => ({ in: projectPath(path), out })),
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
    return Object.fromEntries(outputFiles.map(toFile));
  };
  const files = { ...(await filesOf(ENTRIES)), ...(await filesOf(SHARED)) };
  const named = (start: string, end: string): string => {
    const name = Object.keys(files).find((each) => each.startsWith(start) && each.endsWith(end));
    if (name === undefined) throw new Error(`the console's build has no ${start}*${end}`);
    return `${CONSOLE_PREFIX}/console/files/${name}`;
  };
  const app: Head = { title: 'Support console', style: named('app-', '.css'), script: named('app-', '.js') };
  const shared: Head = { ...app, title: 'A board', script: named('shared-', '.js'), robots: 'noindex, nofollow' };
  const document: unknown = JSON.parse(await readFile(projectPath('openapi.json'), 'utf8'));
  return {
    page: htmlPage(
      app,
      '<div id="app"><noscript>This needs JavaScript, <a href="/docs">the API</a> not.</noscript></div>',
    ),
    shared: htmlPage(shared, '<div id="app"><noscript>This page needs JavaScript.</noscript></div>'),
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
