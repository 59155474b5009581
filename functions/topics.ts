import { readFile } from 'node:fs/promises';
import { accountRoutes } from '../lib/account/routes.ts';
import { openPaths } from '../lib/http/open-paths.ts';
import { topicRoutes } from '../lib/topics/routes.ts';
import { answer, table } from './wiring.ts';

const readDocument = () => readFile(new URL('openapi.json', import.meta.url), 'utf8');

/** Serves topics, the account, and paths without a group: `/health`, `/openapi.json`, unknown paths. */
export const handler = answer([...topicRoutes, ...accountRoutes], openPaths(table, readDocument));
