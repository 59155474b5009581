import { insightsRoutes } from '../lib/insights/routes.ts';
import { prepareZones } from '../lib/insights/zone.ts';
import { answer } from './wiring.ts';

prepareZones();

export const handler = answer(insightsRoutes);
