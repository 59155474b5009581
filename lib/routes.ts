import { accountRoutes } from './account/routes.ts';
import { createDeliverRoutes, deliverRoutes } from './deliver/routes.ts';
import type { Route } from './http/route.ts';
import { insightsRoutes } from './insights/routes.ts';
import { createLiveRoutes, type LiveTools } from './live/routes.ts';
import { sourcesRoute } from './live/sources.ts';
import { macroRoutes } from './macros/routes.ts';
import { topicRoutes } from './topics/routes.ts';
import { createImportRoutes } from './uploads/routes.ts';
import { createRemovalRoute } from './uploads/source-removal.ts';
import type { UploadStore } from './uploads/upload-store.ts';

/** The endpoints in the cloud, by the Lambda function that serves them. */
export const groups = {
  topics: [...topicRoutes, ...accountRoutes],
  macros: macroRoutes,
  insights: [...insightsRoutes, ...deliverRoutes],
  imports: createImportRoutes(),
  connections: [sourcesRoute, createRemovalRoute(), ...createLiveRoutes()],
} as const;

/** Every endpoint, without a store for uploaded files. */
export const routes: readonly Route[] = Object.values(groups).flat();

/**
 * Every endpoint; imports keep their files in `store`, `lacks` is what a server has not set to send mails, and `live`
 * what it connects help desks with.
 */
export const routesWith = (store: UploadStore, lacks: readonly string[] = [], live?: LiveTools): readonly Route[] =>
  Object.values({
    ...groups,
    insights: [...insightsRoutes, ...createDeliverRoutes(undefined, lacks)],
    imports: createImportRoutes(store),
    connections: [sourcesRoute, createRemovalRoute(store.removeSource), ...createLiveRoutes(live)],
  }).flat();
