// Runs a program in a thread: `new Worker('bin/thread.js', { argv: [program] })`.
import { load } from './program.js';

await load(process.argv[2]);
