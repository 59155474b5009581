import type { Route } from '../http/route.ts';
import { routesOf } from '../resource/routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { channelRoutes } from './channel-routes.ts';
import { companyRoutes } from './company-routes.ts';
import { CUSTOM_FIELDS } from './custom-field.ts';
import { labelRoutes } from './label-routes.ts';
import { meRoutes } from './me-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { siteRoutes } from './site-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { userRoutes } from './user-routes.ts';
import { userWriteRoutes } from './user-write-routes.ts';

/**
 * An account's endpoints besides the knowledge base: the caller's own login, the users and settings
 * of the site, the resources that links lead to, the audit.
 */
export const accountRoutes: readonly Route[] = [
  ...meRoutes,
  ...sessionRoutes,
  ...tokenRoutes,
  ...userRoutes,
  ...userWriteRoutes,
  ...siteRoutes,
  ...labelRoutes,
  ...companyRoutes,
  ...channelRoutes,
  ...routesOf(CUSTOM_FIELDS),
  ...auditRoutes,
];
