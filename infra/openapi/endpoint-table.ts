import { R_ADMIN, R_INSIGHTS, R_READ, R_WRITE, type Role } from '../../lib/access/roles.ts';
import type { Route } from '../../lib/http/route.ts';

const BEGIN = '<!-- endpoints -->';
const END = '<!-- /endpoints -->';

const SETS: readonly (readonly [readonly Role[], string])[] = [
  [R_INSIGHTS, 'R-insights'],
  [R_READ, 'R-read'],
  [R_WRITE, 'R-write'],
  [R_ADMIN, 'R-admin'],
];

/** The endpoints as the README shows them: a Markdown table of the route list. */
function endpointTable(routes: readonly Route[]): string {
  const rows = routes.map(({ method, path, roles, summary, success, extension }) => {
    const set = SETS.find(([members]) => members === roles)?.[1] ?? roles.join(', ');
    return `| ${method} | \`${path}\` | ${set} | ${success} | ${summary}${extension ? ' (extension)' : ''} |`;
  });
  return ['| method | path | roles | success | |', '|---|---|---|---|---|', ...rows].join('\n');
}

/** A README with its endpoint table made anew. Throws where the README has no place for it. */
export function withEndpointTable(readme: string, routes: readonly Route[]): string {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`README.md has no place between ${BEGIN} and ${END}`);
  return `${readme.slice(0, begin + BEGIN.length)}\n${endpointTable(routes)}\n${readme.slice(end)}`;
}
