import { insightsRoutes } from '../lib/insights/routes.ts';
import { answer } from './wiring.ts';

export const handler = answer(insightsRoutes);
