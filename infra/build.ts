import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { bundle } from './bundle.ts';
import { buildConsole } from './console/build.ts';
import { FUNCTIONS } from './stack/functions.ts';

/** `npm run build`: bundles every function into `dist/`, as the deploy does. */
await rm('dist', { recursive: true, force: true });
for (const file of await readdir('functions')) {
  if (!Object.hasOwn(FUNCTIONS, file.replace(/\.ts$/, ''))) continue; // other modules of the folder
  const outfile = `dist/${file.replace(/\.ts$/, '')}/index.mjs`;
  await bundle(`functions/${file}`, outfile);
  process.stdout.write(`${outfile}: ${((await stat(outfile)).size / 1024).toFixed(0)} KiB\n`);
}

const built = JSON.stringify(await buildConsole());
await writeFile('dist/console/console.json', built);
process.stdout.write(`dist/console/console.json: ${(built.length / 1024).toFixed(0)} KiB\n`);
