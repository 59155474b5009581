import { loadConsole } from './kept.ts';

/** Part of `npm run prepare`: builds the console once, so that the first page does not wait for it. */
await loadConsole();
