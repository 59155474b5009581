import { percentDecoded } from '../text.ts';
import type { Method, Route } from './route.ts';

export interface RouteMatch {
  readonly params: Readonly<Record<string, string>>;
  readonly methods: ReadonlyMap<string, Route>; // every route of this path
}

/** Finds the routes of a percent-encoded path; undefined for an unknown path. */
export type Router = (path: string) => RouteMatch | undefined;

interface PathEntry {
  readonly parts: readonly string[];
  readonly methods: Map<string, Route>;
}

/** A router over the routes. One trailing slash is ignored; double slashes and dot segments are unknown paths. */
export function createRouter(routes: readonly Route[]): Router {
  const entries = new Map<string, PathEntry>();
  for (const route of routes) {
    const shape = route.path.replace(/\{[^}]*\}/g, '{}');
    const entry = entries.get(shape) ?? { parts: route.path.split('/'), methods: new Map() };
    entry.methods.set(route.method, route);
    entries.set(shape, entry);
  }
  const all = [...entries.values()];

  return (path) => {
    const parts = withoutSlash(path).split('/');
    for (const entry of all) {
      const params = match(entry.parts, parts);
      if (params) return { params, methods: entry.methods };
    }
    return undefined;
  };
}

/** A path without its trailing slash. */
export const withoutSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;

function match(template: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  if (template.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, wanted] of template.entries()) {
    const part = parts[index] ?? '';
    if (!wanted.startsWith('{')) {
      if (part !== wanted) return undefined;
      continue;
    }
    const value = percentDecoded(part);
    if (value === undefined || value === '' || value === '.' || value === '..') return undefined;
    params[wanted.slice(1, -1)] = value;
  }
  return params;
}

/** The methods of a path for the `Allow` header; HEAD goes with GET. */
export function allowed({ methods }: RouteMatch): string {
  return [...methods.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}

const OVERRIDES: readonly string[] = ['PATCH', 'DELETE'] satisfies Method[];

/**
 * The method that decides: GET for HEAD, and for a POST the value of `X-HTTP-Method-Override`. Undefined: not allowed.
 */
export function effectiveMethod(method: string, override: string | undefined): string | undefined {
  if (method === 'HEAD') return 'GET';
  if (method !== 'POST' || override === undefined) return method;
  const wanted = override.trim().toUpperCase();
  return OVERRIDES.includes(wanted) ? wanted : undefined;
}
