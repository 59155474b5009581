import * as z from 'zod';

/** Shapes that several replies share, for OpenAPI and the tests. */

export const idShape = (least: 0 | 1 = 1) => (least === 0 ? z.int().nonnegative() : z.int().positive());
export const timestampShape = () => z.iso.datetime().meta({ description: 'UTC, whole seconds, with a trailing Z' });

/** A link with the given class. */
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
