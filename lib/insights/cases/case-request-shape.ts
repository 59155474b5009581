import * as z from 'zod';
import { requestShape } from '../request-shape.ts';
import { DIRECTIONS, MOST_CASES, SORTS, USUAL_CASES } from './case-request.ts';

/** The body of a drill-down as documents show it; `readCaseRequest` is what decides. */
export const casesBodyShape = () =>
  requestShape()
    .omit({ totals: true })
    .extend({
      fields: requestShape().shape.fields.max(1).meta({ description: 'The field of the number' }),
      sort: z.enum(SORTS).nullish().meta({ default: 'at' }),
      direction: z.enum(DIRECTIONS).nullish().meta({ default: 'asc' }),
      per_page: z
        .int()
        .min(1)
        .nullish()
        .meta({ default: USUAL_CASES, description: `More than ${MOST_CASES} counts as ${MOST_CASES}` }),
      cursor: z.string().nullish().meta({ description: 'Of the page before; the rest of the body stays as it was' }),
    });
