import type { Route } from '../http/route.ts';
import { auditRoutes } from './audit-routes.ts';
import { meRoutes } from './me-routes.ts';
import { recordRoutes } from './record-routes.ts';

/**
 * An account's endpoints besides the knowledge base: the caller's own login, the resources that links lead to, the
 * audit.
 */
export const accountRoutes: readonly Route[] = [...meRoutes, ...recordRoutes, ...auditRoutes];
