import type { HistoryReader } from './history/read.ts';
import type { Route } from './http/route.ts';
import { createInsightsRoutes, insightsRoutes } from './insights/routes.ts';
import { macroRoutes } from './macros/routes.ts';
import { topicRoutes } from './topics/routes.ts';

/** Every endpoint, by the function that answers for it. */
export const groups = { topics: topicRoutes, macros: macroRoutes, insights: insightsRoutes } as const;

/** Every endpoint. */
export const routes: readonly Route[] = Object.values(groups).flat();

/** Every endpoint; reports read histories by `reader`. */
export const routesWith = (reader: HistoryReader): readonly Route[] =>
  Object.values({ ...groups, insights: createInsightsRoutes(reader) }).flat();
