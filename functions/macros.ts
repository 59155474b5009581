import { macroRoutes } from '../lib/macros/routes.ts';
import { answer } from './wiring.ts';

export const handler = answer(macroRoutes);
