import { insightsRoutes } from '../lib/insights/routes.ts';
import { loadZones } from '../lib/insights/zone.ts';
import { answer } from './wiring.ts';

loadZones();

export const handler = answer(insightsRoutes);
