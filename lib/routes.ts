import type { Route } from './http/route.ts';
import type { ReportMeans } from './insights/compute.ts';
import { createInsightsRoutes, insightsRoutes } from './insights/routes.ts';
import { macroRoutes } from './macros/routes.ts';
import { topicRoutes } from './topics/routes.ts';

/** Every endpoint, by the function that answers for it. */
export const groups = { topics: topicRoutes, macros: macroRoutes, insights: insightsRoutes } as const;

/** Every endpoint (api.md 4.0). */
export const routes: readonly Route[] = Object.values(groups).flat();

/** Every endpoint, reports being made by such means. */
export const routesWith = (means: ReportMeans): readonly Route[] =>
  Object.values({ ...groups, insights: createInsightsRoutes(means) }).flat();
