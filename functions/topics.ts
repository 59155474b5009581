import { readFile } from 'node:fs/promises';
import { hasSites } from '../lib/access/sites.ts';
import { accountRoutes } from '../lib/account/routes.ts';
import { openPaths } from '../lib/http/open-paths.ts';
import { topicRoutes } from '../lib/topics/routes.ts';
import { oauthKeys } from './oauth-keys.ts';
import { table } from './table.ts';
import { ATHENA_WORKGROUP, answer, SITES } from './wiring.ts';

const readDocument = () => readFile(new URL('openapi.json', import.meta.url), 'utf8');

/** Serves topics, the account, and paths without a group: `/health`, `/openapi.json`, unknown paths. */
export const handler = answer([...topicRoutes, ...accountRoutes], {
  table,
  oauthKeys,
  hasEngine: ATHENA_WORKGROUP !== undefined,
  renewsHashes: true, // it has the routes of users, so that its role may write them
  open: openPaths(table, readDocument, async () =>
    SITES === 'expected' && !(await hasSites(table)) ? 'no sites' : undefined,
  ),
});
