// `npm run prepare`, which npm runs after installing packages: bundles the programs for a Node that does not run TypeScript itself.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleOf, CACHE, PROGRAMS, PROJECT, runsTypes } from './program.js';

// Packages in CommonJS ask for `require`; infra/project.ts asks where it lies.
const BANNER = `import nodeModule from 'node:module';
const require = nodeModule.createRequire(import.meta.url), infraUrl = new URL('../../../../infra/', import.meta.url).href;`;

rmSync(CACHE, { recursive: true, force: true }); // what was made of other sources
for (const program of runsTypes ? [] : PROGRAMS) {
  await build({
    entryPoints: [join(PROJECT, program)],
    outfile: bundleOf(program),
    bundle: true,
    external: ['lmdb', 'esbuild'], // native, or with a program beside it
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: BANNER },
    define: { 'import.meta.url': 'infraUrl' },
    sourcemap: 'linked', // for NODE_OPTIONS=--enable-source-maps
    sourcesContent: false,
    logLevel: 'warning',
  });
}
