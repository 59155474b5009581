import { accountRoutes } from './account/routes.ts';
import type { HistoryReader } from './history/read.ts';
import type { Route } from './http/route.ts';
import { createInsightsRoutes, insightsRoutes } from './insights/routes.ts';
import { macroRoutes } from './macros/routes.ts';
import { topicRoutes } from './topics/routes.ts';
import type { UploadHouse } from './uploads/house.ts';
import { createImportRoutes } from './uploads/routes.ts';

/** The endpoints of the cloud, by the function that answers for them. */
export const groups = {
  topics: [...topicRoutes, ...accountRoutes],
  macros: macroRoutes,
  insights: insightsRoutes,
  imports: createImportRoutes(),
} as const;

/** Every endpoint. Files are taken where there is a house for them. */
export const routes: readonly Route[] = Object.values(groups).flat();

/** Every endpoint; reports read histories by `reader`, imports keep their files in `house`. */
export const routesWith = (reader: HistoryReader, house: UploadHouse): readonly Route[] => [
  ...Object.values({ ...groups, insights: createInsightsRoutes(reader), imports: createImportRoutes(house) }).flat(),
];
