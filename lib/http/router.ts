import type { Method, Route } from './route.ts';

export interface Match {
  readonly params: Readonly<Record<string, string>>;
  readonly methods: ReadonlyMap<string, Route>; // every route of this path
}

/** Finds the routes of a percent-encoded path; undefined for a path nobody declared. */
export type Router = (path: string) => Match | undefined;

interface Place {
  readonly parts: readonly string[];
  readonly methods: Map<string, Route>;
}

/** A router over the routes. One trailing slash is ignored; double slashes and dot segments are unknown paths. */
export function createRouter(routes: readonly Route[]): Router {
  const places = new Map<string, Place>();
  for (const route of routes) {
    const shape = route.path.replace(/\{[^}]*\}/g, '{}');
    const place = places.get(shape) ?? { parts: route.path.split('/'), methods: new Map() };
    place.methods.set(route.method, route);
    places.set(shape, place);
  }
  const known = [...places.values()];

  return (path) => {
    const parts = withoutSlash(path).split('/');
    for (const place of known) {
      const params = match(place.parts, parts);
      if (params) return { params, methods: place.methods };
    }
    return undefined;
  };
}

/** A path without its one trailing slash. */
export const withoutSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;

function match(template: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  if (template.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [place, wanted] of template.entries()) {
    const part = parts[place] ?? '';
    if (!wanted.startsWith('{')) {
      if (part !== wanted) return undefined;
      continue;
    }
    const value = decode(part);
    if (value === undefined || value === '' || value === '.' || value === '..') return undefined;
    params[wanted.slice(1, -1)] = value;
  }
  return params;
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** The methods that work on a path, HEAD beside GET, as `Allow` names them. */
export function allowed({ methods }: Match): string {
  return [...methods.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}

const OVERRIDES: readonly string[] = ['PATCH', 'DELETE'] satisfies Method[];

/** The method a request acts as: HEAD as GET, a POST as what `X-HTTP-Method-Override` says. Undefined: not allowed. */
export function effectiveMethod(method: string, override: string | undefined): string | undefined {
  if (method === 'HEAD') return 'GET';
  if (method !== 'POST' || override === undefined) return method;
  const wanted = override.trim().toUpperCase();
  return OVERRIDES.includes(wanted) ? wanted : undefined;
}
