import { openBucketStore } from '../lib/uploads/bucket.ts';
import { createImportRoutes } from '../lib/uploads/routes.ts';
import { objects, tell } from './files.ts';
import { answer, table } from './wiring.ts';

/** Files of support history: where they are to be sent, what they were taken for, how far they are. */
export const handler = answer(createImportRoutes(openBucketStore({ table, clock: Date.now, objects, tell })));
