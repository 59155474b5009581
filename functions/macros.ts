import { macroRoutes } from '../lib/macros/routes.ts';
import { oauthKeys } from './oauth-keys.ts';
import { table } from './table.ts';
import { answer } from './wiring.ts';

export const handler = answer(macroRoutes, { table, oauthKeys });
