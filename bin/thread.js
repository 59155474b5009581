// The thread of a program: `new Worker('bin/thread.js', { argv: [program] })`.
import { addressOf } from './program.js';

await import(await addressOf(process.argv[2]));
