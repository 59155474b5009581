import type { Usage } from '../store/usage.ts';
import type { Ending } from './ending.ts';
import type { Request } from './request.ts';
import type { Route } from './route.ts';

/** What is known of a request by the time it is answered and logged. */
export interface Trail {
  readonly request: Request;
  readonly usage: Usage;
  readonly started: number; // epoch ms
  readonly ending: Ending;
  readonly headers: Record<string, string>; // of the reply, whatever it will be
  route?: Route;
  site?: string;
  user?: string;
}

/** A request's log line: never a credential, never a body. */
export function logLine({ request, usage, started, route, site, user }: Trail, status: number, now: number) {
  const { id, method } = request;
  const { trips, readUnits, writeUnits } = usage;
  return {
    request: id,
    site,
    user,
    method,
    route: route?.name,
    status,
    ms: now - started,
    trips,
    readUnits,
    writeUnits,
  };
}
