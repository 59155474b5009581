import { R_ADMIN, R_INSIGHTS, R_READ, R_WRITE, ROLES, type Role } from '../../lib/access/roles.ts';
import type { Route } from '../../lib/http/route.ts';

const BEGIN = '<!-- endpoints -->';
const END = '<!-- /endpoints -->';

const SETS: readonly (readonly [readonly Role[], string])[] = [
  [R_READ, 'R-read'],
  [R_WRITE, 'R-write'],
  [R_INSIGHTS, 'R-insights'],
  [R_ADMIN, 'R-admin'],
];

/** A sentence with the roles of each set; for a large set it names the missing roles. */
function setsInWords(): string {
  const words = SETS.map(([members, name]) => {
    const missing = ROLES.filter((role) => !members.includes(role));
    if (missing.length === 0) return `${name} are all roles`;
    return missing.length < members.length ? `${name} all but ${listed(missing)}` : `${name} ${listed(members)}`;
  });
  return `${words.join('; ')}.`;
}

const listed = (roles: readonly Role[]): string => new Intl.ListFormat('en-GB').format(roles);

/** The README's table of endpoints, and a sentence about the sets of roles. */
function endpointTable(routes: readonly Route[]): string {
  const rows = routes.map(({ method, path, roles, summary, success, extension }) => {
    const set = SETS.find(([members]) => members === roles)?.[1] ?? roles.join(', ');
    return `| ${method} | \`${path}\` | ${set} | ${success} | ${summary}${extension ? ' (extension)' : ''} |`;
  });
  return ['| method | path | roles | success | |', '|---|---|---|---|---|', ...rows, '', setsInWords()].join('\n');
}

/** A README with its endpoint table rewritten. Throws if the README lacks the marks around it. */
export function withEndpointTable(readme: string, routes: readonly Route[]): string {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`README.md has no place between ${BEGIN} and ${END}`);
  return `${readme.slice(0, begin + BEGIN.length)}\n${endpointTable(routes)}\n${readme.slice(end)}`;
}
