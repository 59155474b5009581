import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import * as z from 'zod';
import type { Site } from '../../lib/access/site-fields.ts';
import { certain } from '../../lib/certain.ts';
import { Failure } from '../../lib/errors.ts';
import type { Route } from '../../lib/http/route.ts';
import { deskCheckShape } from '../../lib/live/check/check-routes.ts';
import { SYSTEMS } from '../../lib/live/desk.ts';
import { pullSite } from '../../lib/live/pull.ts';
import { createLiveRoutes } from '../../lib/live/routes.ts';
import type { PullTools } from '../../lib/live/run.ts';
import { connectionShape } from '../../lib/live/show.ts';
import { readSettings } from '../../lib/settings.ts';
import { doRemoval } from '../../lib/uploads/source-removal.ts';
import { Fault } from '../fault.ts';
import { pullToolsOf } from '../local/pulls.ts';
import { columns } from './columns.ts';
import {
  type CliOptions,
  type CommandWords,
  group,
  line,
  lines,
  type OptionsOf,
  type Outcome,
  toggle,
  write,
} from './command.ts';
import { describeFault } from './explain.ts';
import { readToken } from './password.ts';
import { onSite, type SitePlace } from './site.ts';

const SLICE = 60_000; // ms of a pull before the settings are looked at again
const LOOK = 1_000; // ms between two looks at a pull of the service

const TOKEN = {
  tokenStdin: toggle('the token is a line of standard input, a second one the secret of webhooks'),
};
const CONNECT = {
  ...TOKEN,
  url: line('<url>', 'address of the help desk, without /api'),
  login: line('<login>', 'login that the token belongs to (Zendesk)'),
  account: line('<number>', 'number of the account (Chatwoot)'),
  name: line('<name>', 'name of the connection (default: the host)'),
  source: line('<name>', "where the facts go (default: the system's name)"),
  since: line('<time>', 'leave out cases that last changed before it'),
  interval: line('<seconds>', 'time between pulls (default: 300)'),
  supersedes: lines('<source>', 'source of files of the same help desk; none: --supersedes ""'),
};
const ROTATE = { ...TOKEN, login: line('<login>', 'login of the token') };
const CHECK = { cases: line('<number>', 'how many, the latest changed (default: 200)') };
const REMOVE = { facts: line('<keep|remove>', 'whether its facts stay'), yes: toggle('do it') };

type Connection = z.infer<ReturnType<typeof connectionShape>>;

/** `connect SYSTEM`: connects a site to its help desk (docs/live.md). */
export const connectCommand = (): Command =>
  deskCommand(
    [
      'connect',
      'connect a site to its help desk; the token is asked for',
      'zendesk --site acme --url https://acme.zendesk.com --login ann@acme.example',
      ['<system>', SYSTEMS.join(', ')],
    ],
    CONNECT,
    doConnect,
  );

const ID = ['<id>', 'number of the connection'] as const;

/** `connection list`, `show`, `pull`, `check`, `pause`, `resume`, `rotate`, `remove`. */
export const connectionCommand = (): Command =>
  group(
    ['connection', 'the connection of a site to its help desk', 'list --site acme'],
    deskCommand(['list', 'list the connections of a site; there is one at most', '--site acme'], {}, doList),
    deskCommand(['show', 'show how far a connection is', '1 --site acme', ID], {}, doShow),
    deskCommand(['pull', 'fetch what changed now, and wait until all is in', '1 --site acme', ID], {}, doPull),
    deskCommand(
      [
        'check',
        "compare cases with the help desk's own figures, and wait; ends with 1 if one is unexplained",
        '1 --site acme',
        ID,
      ],
      CHECK,
      doCheck,
    ),
    deskCommand(['pause', 'pull nothing until it is resumed', '1 --site acme', ID], {}, changing({ paused: true })),
    deskCommand(['resume', 'pull again', '1 --site acme', ID], {}, changing({ paused: false })),
    deskCommand(['rotate', 'give it a new token', '1 --site acme', ID], ROTATE, doRotate),
    deskCommand(['remove', 'disconnect the help desk', '1 --site acme', ID], REMOVE, doRemove),
  );

/** The connections of a site, as its routes have them in this process. */
interface Desk {
  readonly site: Site;
  readonly tools: PullTools;
  /** The reply of a route, parsed. Throws a `Fault` for what is refused, with exit 2. */
  readonly ask: (
    name: string,
    asked?: { body?: object; id?: string; query?: Record<string, string> },
  ) => Promise<unknown>;
}

async function openDesk(place: SitePlace): Promise<Desk> {
  const { site, caller } = place;
  const tools: PullTools = {
    ...(await pullToolsOf(place, readSettings())),
    log: () => undefined,
    isEnding: () => false,
  };
  const routes = createLiveRoutes({
    ...tools,
    startRemoval: async (removal) => void (await doRemoval(tools, removal)),
  });
  const routeOf = (wanted: string): Route => certain(routes.find((route) => route.name === wanted));
  return {
    site,
    tools,
    async ask(wanted, { body, id, query = {} } = {}) {
      try {
        const reply = await caller.reply(routeOf(wanted), {
          query,
          params: id === undefined ? {} : { connection_id: id },
          ...(body && { body: Buffer.from(JSON.stringify(body)) }),
        });
        return JSON.parse(reply.body || 'null');
      } catch (error) {
        if (error instanceof Failure && error.status < 500) throw new Fault(describeFault(error), 2);
        throw error;
      }
    },
  };
}

const deskCommand = <O extends CliOptions>(
  words: CommandWords,
  options: O,
  work: (desk: Desk, options: OptionsOf<O>, operand: string) => Promise<Outcome>,
): Command =>
  onSite(words, options, async (place, asked, [operand = '']) => work(await openDesk(place), asked, operand));

const read = (reply: unknown): Connection => connectionShape().parse(reply);

/** What people read of a connection. */
function textOf(shown: Connection): string {
  const { id, system, url, name, source, state, as_of, error, backfill, last_pull, doorbell, webhook_secret } = shown;
  const rows: (readonly [string, string | undefined])[] = [
    ['connection', `${id}, ${system} at ${url}${name === new URL(url).host ? '' : `, ${name}`}`],
    ['source', source],
    ['state', state],
    ['as of', as_of ?? 'nothing is in yet'],
    ['error', error === null ? undefined : `${error.message} Next try: ${error.next_try}`],
    ['backfill', backfill.done ? `done, ${backfill.cases} cases` : `${backfill.cases} cases so far`],
    [
      'last pull',
      last_pull === null
        ? undefined
        : `${last_pull.ended_at ?? 'running'}, ${last_pull.cases} cases, ${last_pull.added} new events, ${last_pull.requests} calls`,
    ],
    ['doorbell', doorbell.url],
    ['webhook secret', webhook_secret && `${webhook_secret} (shown only now)`],
  ];
  return rows.flatMap(([label, value]) => (value === undefined ? [] : [`${label}: ${value}`])).join('\n');
}

const outcome = (shown: Connection): Outcome => ({ text: textOf(shown), json: shown });

async function doConnect(desk: Desk, options: OptionsOf<typeof CONNECT>, system: string): Promise<Outcome> {
  const { url, login, name, source, since, supersedes } = options;
  const { token, secret } = await readToken(options.tokenStdin ?? false);
  const body = {
    system,
    credentials: { token, login },
    webhook_secret: secret,
    url,
    name,
    source,
    since,
    account: numberIn(options.account),
    interval: numberIn(options.interval),
    supersedes: supersedes?.filter((each) => each !== ''),
  };
  return outcome(read(await desk.ask('createConnection', { body })));
}

/** A number that was written, else the text, which the route refuses. */
const numberIn = (text: string | undefined): number | string | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : text;

const listShape = z.object({ _embedded: z.object({ entries: z.array(connectionShape()) }) });

async function doList(desk: Desk): Promise<Outcome> {
  const json = await desk.ask('listConnections');
  const { entries } = listShape.parse(json)._embedded;
  const rows = entries.map(({ id, system, name, state, as_of, error }) => [
    ...[String(id), system, name, state, as_of ?? ''],
    error?.message ?? '',
  ]);
  const header = ['id', 'system', 'name', 'state', 'as of', 'error'];
  return { text: columns(header, rows) || 'The site is connected to no help desk.', json };
}

async function doShow(desk: Desk, _options: object, id: string): Promise<Outcome> {
  return outcome(read(await desk.ask('showConnection', { id })));
}

const changing =
  (body: object) =>
  async (desk: Desk, _options: object, id: string): Promise<Outcome> => {
    return outcome(read(await desk.ask('updateConnection', { id, body })));
  };

async function doRotate(
  desk: Desk,
  { tokenStdin = false, login }: OptionsOf<typeof ROTATE>,
  id: string,
): Promise<Outcome> {
  const before = read(await desk.ask('showConnection', { id }));
  const { token, secret } = await readToken(tokenStdin);
  const credentials = { token, login: login ?? before.credentials.login ?? undefined };
  const body = { credentials, webhook_secret: secret };
  return outcome(read(await desk.ask('updateConnection', { id, body })));
}

async function doRemove(desk: Desk, { facts, yes = false }: OptionsOf<typeof REMOVE>, id: string): Promise<Outcome> {
  const { name, source } = read(await desk.ask('showConnection', { id }));
  if (facts !== 'keep' && facts !== 'remove')
    throw new Fault('Say what becomes of the facts: --facts keep or remove.', 2);
  if (!yes) throw new Fault(`Add --yes to disconnect ${name}${facts === 'remove' ? ` and remove ${source}` : ''}.`, 2);
  await desk.ask('deleteConnection', { id, query: { facts } });
  const went = facts === 'remove' ? `the facts of ${source} are removed` : `the facts of ${source} stay`;
  return { text: `Disconnected ${name}; ${went}.`, json: { id: Number(id), facts, removed: true } };
}

/** Pulls here, or waits for the pull of a service, until all that changed and the backfill are in. */
async function doPull(desk: Desk, _options: object, id: string): Promise<Outcome> {
  const before = read(await desk.ask('showConnection', { id }));
  if (before.state === 'paused') throw new Fault(`${before.name} is paused: resume it first.`, 2);
  await desk.ask('pullConnection', { id });
  for (let cases = -1; ; ) {
    const end = await pullSite(desk.tools, desk.site, { until: Date.now() + SLICE });
    const shown = read(await desk.ask('showConnection', { id }));
    if (end === 'failed') return { ...outcome(shown), exit: 1 };
    const { last_pull, backfill } = shown;
    const isNew = last_pull !== null && last_pull.started_at !== before.last_pull?.started_at;
    if (backfill.done && isNew && last_pull.ended_at !== null) return outcome(shown);
    if (backfill.cases > cases) write(process.stderr, `${backfill.cases} cases so far`);
    cases = Math.max(cases, backfill.cases);
    if (end !== 'more') await pause(LOOK);
  }
}

type Check = z.infer<ReturnType<typeof deskCheckShape>>;

/** Checks here, or waits for the check of a service. */
async function doCheck(desk: Desk, { cases }: OptionsOf<typeof CHECK>, id: string): Promise<Outcome> {
  await desk.ask('checkConnection', { id, body: { cases: numberIn(cases) } });
  for (let done = -1; ; ) {
    const end = await pullSite(desk.tools, desk.site, { until: Date.now() + SLICE });
    const check = deskCheckShape().parse(await desk.ask('showCheck', { id }));
    if (check.state === 'done')
      return { text: checkText(check), json: check, ...(check.unexplained > 0 && { exit: 1 }) };
    if (end === 'failed') return { ...outcome(read(await desk.ask('showConnection', { id }))), exit: 1 };
    if (check.cases > done) write(process.stderr, `${check.cases} cases so far`);
    done = Math.max(done, check.cases);
    if (end !== 'more') await pause(LOOK);
  }
}

/** What people read of a check: the counts, then each case that differs with its story. */
function checkText({ cases, equal, repaired, explained, unexplained, reasons, entries }: Check): string {
  const why = Object.entries(reasons).map(([reason, count]) => `${reason} ${count}`);
  const counts = `${cases} cases: ${equal} equal, ${repaired} repaired, ${explained} explained, ${unexplained} unexplained`;
  const lines = entries.flatMap(({ case: key, measure, ours, theirs, unit, reason, story }, index) => [
    `case ${key}: ${measure} ${ours ?? 'none'} here, ${theirs ?? 'none'} there${unit === null ? '' : ` (${unit})`}, ${reason ?? 'unexplained'}`,
    ...(entries[index + 1]?.case === key ? [] : story.map(({ at, what }) => `  ${at}  ${what}`)),
  ]);
  return [why.length === 0 ? counts : `${counts} (${why.join(', ')})`, ...lines].join('\n');
}
