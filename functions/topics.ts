import { readFile } from 'node:fs/promises';
import { openPaths } from '../lib/http/open-paths.ts';
import { topicRoutes } from '../lib/topics/routes.ts';
import { answer, table } from './wiring.ts';

const readDocument = () => readFile(new URL('openapi.json', import.meta.url), 'utf8');

/** Topics, and whatever belongs to no group: `/health`, `/openapi.json`, unknown paths. */
export const handler = answer(topicRoutes, openPaths(table, readDocument));
