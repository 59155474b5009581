import { rehearse } from '../lib/insights/rehearse.ts';
import { insightsRoutes } from '../lib/insights/routes.ts';
import { answer } from './wiring.ts';

rehearse();

export const handler = answer(insightsRoutes);
