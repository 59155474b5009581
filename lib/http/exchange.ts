import type { Usage } from '../store/usage.ts';
import type { Ending } from './ending.ts';
import type { Request } from './request.ts';
import type { Route } from './route.ts';

/** What is known about a request when it is answered and logged. */
export interface Exchange {
  readonly request: Request;
  readonly usage: Usage;
  readonly started: number; // epoch ms
  readonly ending: Ending;
  readonly headers: Record<string, string>; // headers for any reply to this request
  route?: Route;
  site?: string;
  user?: string;
}

/** The fields of a request's log line. They never hold a credential or a body. */
export function logLine({ request, usage, started, route, site, user }: Exchange, status: number, now: number) {
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

/**
 * Whether the log line of a request tells of a sign-in that was refused: a 401, or a 429 before anybody was known. A 429
 * of a known user is one of a rate limit or of the turn of reports.
 */
export const isRefusedSignIn = ({ status, user }: Readonly<Record<string, unknown>> = {}): boolean =>
  status === 401 || (status === 429 && user === undefined);
