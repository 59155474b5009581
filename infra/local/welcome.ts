import { listSites } from '../../lib/access/sites.ts';
import { readUser } from '../../lib/access/users.ts';
import { DEMO_PASSWORD, DEMO_SITE, demoLogin, isDemoUser } from '../demo/users.ts';
import type { Place } from './table/place.ts';

/** The output of a started service, for people and for programs. */
export interface Welcome {
  readonly text: string;
  readonly json: unknown;
}

const ONLY_READS =
  'The disk of the data folder is full: the service only reads, and lets in only who has a token. Free disk space and it writes again.';

const DAY = 86_400_000; // ms
const WEEK = 7 * DAY;

/** The service's address, how to sign in, and a first request to paste. `now` in epoch ms. */
export async function welcome({ table, folder, hasRoom }: Place, port: number, now: number): Promise<Welcome> {
  const url = `http://localhost:${port}`;
  const demo = await readUser(table, DEMO_SITE, demoLogin('Administrator'));
  const hasDemo = demo !== undefined && isDemoUser(demo);
  const sites = (await listSites(table)).map(({ site }) => site.name);
  const lines = hasDemo ? demoLines(url, now) : ownLines(sites, port);
  const isFull = hasRoom?.() === false;
  return {
    text: [`Listening on ${url}`, `The console: ${url}/console`, ...(isFull ? ['', ONLY_READS] : []), ...lines].join(
      '\n',
    ),
    json: {
      url,
      port,
      pid: process.pid,
      dataDir: folder ?? null,
      sites,
      readOnly: isFull,
      ...(hasDemo && { login: demo.login }),
    },
  };
}

function demoLines(url: string, now: number): string[] {
  const login = demoLogin('Administrator');
  const report = {
    fields: ['case_creates', 'resolved_cases', 'first_contact_resolution_rate', 'time_to_first_response'],
    time: { min: midnight(monday(now) - 3 * WEEK), max: midnight(now), window_size: 'week' },
    dimension1: 'channel',
  };
  return [
    '',
    `Sign in to the demo site as ${login}, password ${DEMO_PASSWORD} (one user a role: ${demoLogin('Reporting Agent')}, …).`,
    'A first report, four weeks by channel:',
    '',
    `  curl -s -u ${login}:${DEMO_PASSWORD} ${url}/api/v2/insights3/reports -H 'Content-Type: application/json' \\`,
    `    -d '${JSON.stringify(report)}'`,
    '',
    `The API reference: ${url}/docs. Sites, users, imports: npx support --help`,
  ];
}

/** A time on the last Monday up to `at`; 1970-01-05 was a Monday. */
const monday = (at: number): number => at - ((at - 4 * DAY) % WEEK);
const midnight = (at: number): string => `${new Date(at).toISOString().slice(0, 10)}T00:00:00Z`;

function ownLines(sites: readonly string[], port: number): string[] {
  if (sites.length === 0)
    return [
      '',
      'There is no site yet. Add one, and somebody who may sign in:',
      '',
      '  npx support site add acme --default',
      '  npx support user add --site acme --login you@acme.example --role Administrator',
    ];
  const hosts = sites.map((site) => `http://${site}.localhost:${port}`).join(', ');
  return ['', `Sites: ${hosts}. Sign in as a user of theirs: npx support user list --site ${sites[0]}`];
}
