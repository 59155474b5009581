// `npm run prepare`, run by npm after installing packages: bundles the programs for a Node that does not run TypeScript
// itself.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleOf, CACHE, compile, compiledOf, PARAMETERS, PROGRAMS, PROJECT, runsTypes } from './program.js';

rmSync(CACHE, { recursive: true, force: true }); // bundles of other sources
for (const program of runsTypes ? [] : PROGRAMS) {
  const bundle = bundleOf(program);
  await build({
    entryPoints: [join(PROJECT, program)],
    outfile: bundle,
    bundle: true,
    external: ['lmdb', 'esbuild'], // native modules, or modules with a program
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    supported: { 'dynamic-import': false }, // code that V8 compiled before finds no loader for one
    banner: { js: `(function (${PARAMETERS}) {` },
    footer: { js: '})' },
    define: { 'import.meta.url': 'infraUrl' }, // for infra/project.ts, which uses its own location
    logLevel: 'warning',
  });
  writeFileSync(compiledOf(bundle), compile(bundle).createCachedData());
}
