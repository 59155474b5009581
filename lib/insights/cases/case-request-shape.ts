import * as z from 'zod';
import { requestShape } from '../request-shape.ts';
import { DIRECTIONS, MOST_CASES, SORTS, USUAL_CASES } from './case-request.ts';

/** The schema of a drill-down's body for OpenAPI; `readCaseRequest` checks the body. */
export const casesBodyShape = () =>
  requestShape()
    .omit({ totals: true })
    .extend({
      fields: requestShape().shape.fields.max(1).meta({ description: 'The one field of the report' }),
      sort: z.enum(SORTS).nullish().meta({ default: 'at' }),
      direction: z.enum(DIRECTIONS).nullish().meta({ default: 'asc' }),
      per_page: z
        .int()
        .min(1)
        .nullish()
        .meta({ default: USUAL_CASES, description: `More than ${MOST_CASES} counts as ${MOST_CASES}` }),
      cursor: z
        .string()
        .nullish()
        .meta({ description: 'The cursor of the page before; send the rest of the body unchanged' }),
    });
