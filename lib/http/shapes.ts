import * as z from 'zod';

/** Shapes that replies share: what OpenAPI and the tests know of them. */

export const idShape = () => z.int().positive();
export const timestampShape = () => z.iso.datetime().meta({ description: 'UTC, whole seconds, with a trailing Z' });

/** A link of one class. */
export const linkShape = (name: string) => z.object({ href: z.string(), class: z.literal(name) });

/** A page of a list whose entries have the given shape. */
export const pageShape = <T extends z.ZodType>(entry: T) =>
  z.object({
    total_entries: z.int().nonnegative(),
    page: z.int().positive(),
    _links: z.object({
      self: linkShape('page'),
      first: linkShape('page'),
      last: linkShape('page'),
      previous: linkShape('page').nullable(),
      next: linkShape('page').nullable(),
    }),
    _embedded: z.object({ entries: z.array(entry) }),
  });
