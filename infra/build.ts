import { readdir, rm, stat } from 'node:fs/promises';
import { bundle } from './bundle.ts';

/** `npm run build`: the bundle of every function into `dist/`, as the deploy makes it. */
await rm('dist', { recursive: true, force: true });
for (const file of await readdir('functions')) {
  if (file === 'wiring.ts') continue;
  const outfile = `dist/${file.replace(/\.ts$/, '')}/index.mjs`;
  await bundle(`functions/${file}`, outfile);
  process.stdout.write(`${outfile}: ${((await stat(outfile)).size / 1024).toFixed(0)} KiB\n`);
}
