import { InvalidArgumentError } from 'commander';
import type * as z from 'zod';
import { takesOf } from '../../lib/http/takes.ts';

/** A reader of an option by the field of the API that takes the same; it refuses with the same words. */
export const taken =
  <T>(field: z.ZodType<T>) =>
  (value: unknown): T => {
    const { success, data } = field.safeParse(value);
    if (success) return data;
    throw new InvalidArgumentError(`It takes ${takesOf(field)}.`);
  };
