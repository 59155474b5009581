// `npm run prepare`, which npm runs after installing packages: bundles the programs for a Node that does not run TypeScript itself.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleOf, CACHE, compile, compiledOf, PARAMETERS, PROGRAMS, PROJECT, runsTypes } from './program.js';

rmSync(CACHE, { recursive: true, force: true }); // what was made of other sources
for (const program of runsTypes ? [] : PROGRAMS) {
  const bundle = bundleOf(program);
  await build({
    entryPoints: [join(PROJECT, program)],
    outfile: bundle,
    bundle: true,
    external: ['lmdb', 'esbuild'], // native, or with a program beside it
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    banner: { js: `(function (${PARAMETERS}) {` },
    footer: { js: '})' },
    define: { 'import.meta.url': 'infraUrl' }, // infra/project.ts asks where it lies
    logLevel: 'warning',
  });
  writeFileSync(compiledOf(bundle), compile(bundle).createCachedData());
}
