import type { Route } from '../http/route.ts';
import { routesOf } from '../resource/routes.ts';
import { actionRoutes } from './action-routes.ts';
import { MACROS } from './macro.ts';

/** The endpoints of macros, with those of their actions. */
export const macroRoutes: readonly Route[] = [...routesOf(MACROS), ...actionRoutes];
