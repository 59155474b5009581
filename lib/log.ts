import { printable, withoutPasswords } from './text.ts';

/** Each message is one JSON line on standard error. It never holds a credential or a body. */
export type Level = 'debug' | 'info' | 'warn' | 'error';

const RANK: Readonly<Record<Level | 'silent', number>> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 };

export type Log = (level: Level, message: string, details?: Readonly<Record<string, unknown>>) => void;

/** A log that writes messages of at least `lowest` through `write`. */
export function createLog(lowest: Level | 'silent', write: (line: string) => void): Log {
  return (level, message, details = {}) => {
    if (RANK[level] >= RANK[lowest]) write(printable(withoutPasswords(JSON.stringify({ level, message, ...details }))));
  };
}

/** The fields of an error for a log line. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  const cause = error.cause instanceof Error ? { cause: describeError(error.cause) } : {};
  return { error: error.message, name: error.name, stack: error.stack, ...cause };
}
