import { randomUUID } from 'node:crypto';
import { createLeavePage } from '../lib/deliver/leave.ts';
import { createDeliverRoutes } from '../lib/deliver/routes.ts';
import { lackingInCloud } from '../lib/deliver/setup.ts';
import { insightsRoutes } from '../lib/insights/routes.ts';
import { loadZones } from '../lib/zone.ts';
import { oauthKeys } from './oauth-keys.ts';
import { table } from './table.ts';
import { answer, MAIL_FROM } from './wiring.ts';

loadZones();

const deliverRoutes = createDeliverRoutes(undefined, lackingInCloud({ MAIL_FROM }));

export const handler = answer([...insightsRoutes, ...deliverRoutes], {
  table,
  oauthKeys,
  pages: createLeavePage({ table, clock: Date.now, newId: randomUUID }),
});
