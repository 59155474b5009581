import { writeFile } from 'node:fs/promises';
import { buildConsole } from './build.ts';

/** `node --import tsx infra/console/write.ts FILE`: writes the built console for the function `console`. */
const [, , file] = process.argv;
if (file === undefined) throw new Error('which file should the console be written to?');
await writeFile(file, JSON.stringify(await buildConsole()));
