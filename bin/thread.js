// The thread of a program: `new Worker('bin/thread.js', { argv: [program] })`.
import { load } from './program.js';

await load(process.argv[2]);
