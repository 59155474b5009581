import type { Route } from './http/route.ts';
import { insightsRoutes } from './insights/routes.ts';
import { macroRoutes } from './macros/routes.ts';
import { topicRoutes } from './topics/routes.ts';

/** Every endpoint, by the function that answers for it. */
export const groups = { topics: topicRoutes, macros: macroRoutes, insights: insightsRoutes } as const;

/** Every endpoint (api.md 4.0). */
export const routes: readonly Route[] = Object.values(groups).flat();
