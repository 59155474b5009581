import * as z from 'zod';

/** The input that people give a type's value by, as `GET /api/v2/report_definitions` shows it. */
export const actionInputShape = () =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('text') }),
    z.object({ kind: z.literal('labels') }),
    z.object({ kind: z.literal('choice'), choices: z.array(z.string()) }),
    z.object({ kind: z.literal('member'), of: z.enum(['agents', 'groups', 'articles']) }),
    z.object({ kind: z.literal('language').meta({ description: 'One of the site’s locales' }) }),
    z.object({ kind: z.literal('custom').meta({ description: 'A value of the custom field that the type names' }) }),
  ]);

export type ActionInput = z.infer<ReturnType<typeof actionInputShape>>;
