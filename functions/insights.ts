import { deliverRoutes } from '../lib/deliver/routes.ts';
import { insightsRoutes } from '../lib/insights/routes.ts';
import { loadZones } from '../lib/zone.ts';
import { oauthKeys } from './oauth-keys.ts';
import { table } from './table.ts';
import { answer } from './wiring.ts';

loadZones();

export const handler = answer([...insightsRoutes, ...deliverRoutes], { table, oauthKeys });
