const REAL = 'scrypt-thread.ts';
const REMEMBERED = new URL('remembered-scrypt.ts', import.meta.url).href;

/** Gives passwords of tests in process the thread that derives each key once a run. */
export const resolve = (specifier, context, next) =>
  specifier === `./${REAL}` ? { url: REMEMBERED, format: 'module', shortCircuit: true } : next(specifier, context);
