import { randomUUID } from 'node:crypto';
import { createLeavePage } from '../lib/deliver/leave.ts';
import { createDeliverRoutes } from '../lib/deliver/routes.ts';
import { lackingInCloud } from '../lib/deliver/setup.ts';
import { sharedNumbersRoute } from '../lib/deliver/shared/numbers-route.ts';
import { createSharedBoards } from '../lib/deliver/shared/shared-boards.ts';
import { createTasks } from '../lib/http/task.ts';
import { createInsightsRoutes } from '../lib/insights/routes.ts';
import { LIMITS } from '../lib/settings.ts';
import { loadZones } from '../lib/zone.ts';
import { reader } from './engine.ts'; // for requests and for links alike: its cache is large
import { oauthKeys } from './oauth-keys.ts';
import { table } from './table.ts';
import { answer, log, MAIL_FROM } from './wiring.ts';

loadZones();

const tools = { table, clock: Date.now, newId: randomUUID };
const leavePage = createLeavePage(tools);
const doTask = createTasks({ ...tools, log, routes: [sharedNumbersRoute(reader)] });
const sharedBoards = createSharedBoards({ ...tools, doTask, ...LIMITS });

export const handler = answer(
  [...createInsightsRoutes(reader), ...createDeliverRoutes(reader, lackingInCloud({ MAIL_FROM }))],
  { table, oauthKeys, pages: async (request) => (await leavePage(request)) ?? sharedBoards(request) },
);
