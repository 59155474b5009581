import type { Faults } from '../../errors.ts';
import { Rejection } from '../../json-readers.ts';

/**
 * Reads a field of a request as a field of a record is read, so that both take the same; adds a fault with the reader's
 * sentence, and gives undefined then.
 */
export function readInto<T>(
  faults: Faults,
  field: string,
  value: unknown,
  read: (value: unknown, name: string) => T,
): T | undefined {
  try {
    return read(value, field);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    faults.explain('invalid', [field], { message: `${error.message}.` });
    return undefined;
  }
}
