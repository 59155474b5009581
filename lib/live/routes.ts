import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { OAuthKeyStore } from '../access/oauth/oauth-keys.ts';
import { R_INSIGHTS, R_SETTINGS } from '../access/roles.ts';
import type { Context } from '../context.ts';
import { type Faults, notFound, plainRefusal } from '../errors.ts';
import { closeSource, listSources, readSources } from '../history/sources.ts';
import { booleanField, lineField, timeField, wordField } from '../http/fields.ts';
import { listReply } from '../http/page.ts';
import { created, type Reply, show } from '../http/reply.ts';
import { type Call, type Route, route, type Values } from '../http/route.ts';
import { pageShape } from '../http/shapes.ts';
import { MAX_SOURCE } from '../import/records/record-fields.ts';
import { keys } from '../store/keys.ts';
import type { Write } from '../store/table.ts';
import { timestampOrNull } from '../text.ts';
import type { StartRemoval } from '../uploads/source-removal.ts';
import { openLine } from './call.ts';
import { createCheckRoutes } from './check/check-routes.ts';
import {
  type ConnectionSecrets,
  connectionItem,
  DESK_OPTIONS,
  type DeskConnection,
  endWrites,
  openConnection,
  sealConnection,
} from './connection.ts';
import { SYSTEMS, type System } from './desk.ts';
import type { DuePull, SendPull } from './due.ts';
import { CONNECTION, findConnection } from './find.ts';
import { deskUrl, type OwnNetwork } from './hosts.ts';
import { dropRings } from './rings.ts';
import {
  CONNECTIONS_PATH,
  type ConnectionView,
  connectionShape,
  connectionState,
  lagOf,
  readView,
  STATES,
  showConnection,
} from './show.ts';
import { DeskTrouble, Unfit } from './trouble.ts';
import { ownNetworkOf, vendorOf } from './vendors/vendors.ts';

/** What connections need of the place where the service runs. */
export interface LiveTools {
  readonly keyStore: OAuthKeyStore;
  readonly own: OwnNetwork;
  readonly startRemoval: StartRemoval;
  readonly wake?: SendPull; // has a pull begin now; absent: somebody looks each second
}

const TEST_TIME = 10_000; // ms

const secretField = () =>
  z
    .string('invalid')
    .min(1, 'blank')
    .max(1_000, 'too_long')
    .regex(/^[\x21-\x7e]*$/, 'invalid');

const settings = {
  url: z
    .string('invalid')
    .min(1, 'blank')
    .max(500, 'too_long')
    .meta({ examples: ['https://acme.zendesk.com'] }),
  credentials: z
    .object({ token: secretField(), login: lineField().optional() }, 'invalid')
    .meta({ description: 'Write only' }),
  account: z.int('invalid').min(1, 'invalid').meta({ description: "Chatwoot's number of the account" }),
  name: lineField().meta({ description: 'Default: the host' }),
  since: timeField().nullable().meta({ description: 'Cases that last changed before it are not fetched' }),
  interval: z.int('invalid').min(60, 'invalid').max(86_400, 'invalid').meta({ description: 'Seconds; default 300' }),
  paused: booleanField(),
  webhook_secret: secretField().nullable().meta({ description: 'Write only; null takes it away' }),
  options: DESK_OPTIONS.meta({ description: "Zendesk's, as for files" }),
};
const fixed = {
  system: wordField(SYSTEMS),
  source: lineField(MAX_SOURCE).meta({ description: "Where the facts go; default: the system's name" }),
  supersedes: z.array(lineField(MAX_SOURCE), 'invalid'),
};
type Settings = Values<typeof settings>;

const usual = { roles: R_SETTINGS, extension: true, reads: () => [] } as const;

/** The tools of a service that connects help desks; throws `not_found` elsewhere. */
function required(tools: LiveTools | undefined): LiveTools {
  if (tools === undefined) throw notFound('connection of help desks in this deployment');
  return tools;
}

const showIn = ({ now, origin }: Context, view: ConnectionView) => showConnection(view, { now, origin });

const NONE = { rung: 0, refused: 0, lastAt: null, waiting: 0 } as const;

const readRoutes: readonly Route[] = [
  route({
    ...usual,
    name: 'listConnections',
    summary: 'List connections to help desks; a site has one at most',
    method: 'GET',
    path: CONNECTIONS_PATH,
    list: true,
    reply: () => pageShape(connectionShape()),
    handle: async (call) => {
      const { context } = call;
      const view = await readView(context.table, context.site.name);
      const shown = view === undefined ? [] : [showIn(context, view)];
      return listReply(call, { path: CONNECTIONS_PATH, seeds: shown, members: () => shown, show: (one) => one });
    },
  }),
  route({
    ...usual,
    name: 'showConnection',
    summary: 'Show a connection and how far it is',
    method: 'GET',
    path: CONNECTION,
    reply: connectionShape,
    find: findConnection,
    handle: ({ context, resource }) => show(showIn(context, resource)),
  }),
  route({
    roles: R_INSIGHTS,
    extension: true,
    reads: () => [],
    name: 'showFreshness',
    summary: 'Show up to when the changes at connected help desks are in',
    method: 'GET',
    path: '/api/v2/freshness',
    reply: freshnessShape,
    handle: async ({ context: { table, site, now } }) => {
      const view = await readView(table, site.name);
      return show({ entries: view === undefined ? [] : [freshnessOf(view, now)] });
    },
  }),
];

const changeRoutes = (tools: LiveTools | undefined): readonly Route[] => [
  route({
    ...usual,
    name: 'createConnection',
    summary: 'Connect the site to its help desk; address and credentials are tried first',
    method: 'POST',
    path: CONNECTIONS_PATH,
    inTurn: false,
    secret: true,
    body: { ...fixed, ...settings },
    required: ['system', 'credentials'],
    reply: connectionShape,
    example: {
      system: 'zendesk',
      url: 'https://acme.zendesk.com',
      credentials: { login: 'ann@acme.example', token: 'kQ7fW2nP' },
    },
    handle: (call) => connect(call, required(tools)),
  }),
  route({
    ...usual,
    name: 'updateConnection',
    summary: 'Change a connection; a new address or new credentials are tried first',
    method: 'PATCH',
    path: CONNECTION,
    inTurn: false,
    body: { ...fixed, ...settings },
    reply: connectionShape,
    example: { interval: 600 },
    find: findConnection,
    current: ({ context, resource }) => showIn(context, resource),
    handle: (call) => change(call, required(tools)),
  }),
  route({
    ...usual,
    name: 'deleteConnection',
    summary: 'Disconnect the help desk; its facts stay, or go after the reply',
    method: 'DELETE',
    path: CONNECTION,
    success: 202,
    query: { facts: wordField(['keep', 'remove']).meta({ description: 'Required' }) },
    find: findConnection,
    current: ({ context, resource }) => showIn(context, resource),
    handle: (call) => disconnect(call, required(tools)),
  }),
];

const pullRoute = (tools: LiveTools | undefined): Route =>
  route({
    ...usual,
    name: 'pullConnection',
    summary: 'Fetch what changed now; while a pull runs, one more follows it',
    method: 'POST',
    path: `${CONNECTION}/pull`,
    success: 202,
    reply: connectionShape,
    example: {},
    find: findConnection,
    handle: async ({ context, resource }) => {
      const { wake } = required(tools);
      const answer: Reply = { ...show(showIn(context, resource)), status: 202 };
      await context.commit([], answer, [wishOf(context)]);
      await wake?.(dueOf(context, resource.connection), context.newId());
      return answer;
    },
  });

const freshEntry = () =>
  z.object({
    connection: z.int(),
    system: z.enum(SYSTEMS),
    name: z.string(),
    source: z.string(),
    state: z.enum(STATES),
    as_of: z.string().nullable().meta({ format: 'date-time' }),
    lag: z.int().nullable().meta({ description: 'Seconds' }),
  });
function freshnessShape() {
  return z.object({ entries: z.array(freshEntry()) });
}

function freshnessOf(view: ConnectionView, now: number): z.input<ReturnType<typeof freshEntry>> {
  const { id, system, name, source } = view.connection;
  const times = { as_of: timestampOrNull(view.progress?.asOf), lag: lagOf(view, now) };
  return { connection: id, system, name, source, state: connectionState(view), ...times };
}

const dueOf = ({ site }: Context, { id }: DeskConnection): DuePull => ({ site: site.name, connection: id });

const wishOf = ({ site, newId }: Context): Write => ({ put: { ...keys.connection(site.name, 'wish'), mark: newId() } });

/** What a call to a help desk is tried with. */
interface Attempt {
  readonly system: System;
  readonly url: string;
  readonly account: number | null;
  readonly token: string;
  readonly login: string | null;
}

/** Makes a cheap call; adds a fault if it fails. */
async function tryOut({ clock }: Context, tools: LiveTools, attempt: Attempt, faults: Faults): Promise<void> {
  const { system, url, account, token, login } = attempt;
  const vendor = vendorOf(system);
  const line = openLine({
    url,
    own: ownNetworkOf(vendor, tools.own),
    clock,
    pause: async () => undefined,
    longest: TEST_TIME,
    headers: vendor.headers({ token, login: login ?? undefined }),
    secrets: [token],
  });
  try {
    await vendor.test(line, account ?? undefined);
  } catch (error) {
    if (error instanceof Unfit) faults.explain('invalid', [error.field], { message: error.message });
    else if (!(error instanceof DeskTrouble)) throw error;
    else if (error.code === 'refused') faults.explain('refused', ['credentials'], { message: error.message });
    else if (error.code === 'forbidden') faults.explain('forbidden', ['url'], { message: error.message });
    else faults.explain('unreachable', ['url'], { message: error.message });
  } finally {
    line.close();
  }
}

/** The address as it is stored; adds a fault if it cannot be called. */
function checkUrl(system: System, text: string | undefined, tools: LiveTools, faults: Faults): string {
  const vendor = vendorOf(system);
  const address = text ?? vendor.hosts.url;
  if (address === undefined) {
    faults.explain('blank', ['url'], { message: `url is missing: the address of ${vendor.title}, without /api.` });
    return '';
  }
  const url = deskUrl(address, vendor.hosts, ownNetworkOf(vendor, tools.own));
  if (typeof url === 'string') return url;
  const message =
    url.fault === 'forbidden'
      ? `${address.slice(0, 80)} is no address that this service may call for ${vendor.title}.`
      : 'url takes an https address without user, query and fragment.';
  faults.explain(url.fault, ['url'], { message });
  return '';
}

function checkAccount(system: System, account: number | null, faults: Faults): void {
  if (vendorOf(system).needsAccount && account === null)
    faults.explain('blank', ['account'], {
      message: 'account is missing: the number of the account in its addresses.',
    });
}

type ConnectCall = Call<unknown, Record<never, never>, typeof fixed & typeof settings>;

/** Connects a site, once the help desk has answered. */
async function connect({ context, fields, faults }: ConnectCall, tools: LiveTools): Promise<Reply> {
  const { table, site, now, newId } = context;
  const { system, credentials, supersedes } = fields;
  if (await readView(table, site.name))
    faults.explain('taken', ['system'], {
      message: 'The site is connected to a help desk already: disconnect that first.',
    });
  if (system === undefined) throw faults.failure();
  const vendor = vendorOf(system);
  const url = checkUrl(system, fields.url, tools, faults);
  const account = fields.account ?? null;
  checkAccount(system, account, faults);
  const source = fields.source ?? system;
  await checkSources(context, { system, source, supersedes }, faults);
  const [note] = await readSources(context, [source]);
  const isShared = note !== undefined && !note.isTried;
  faults.check();
  const token = credentials?.token ?? '';
  const login = credentials?.login ?? null;
  await tryOut(context, tools, { system, url, account, token, login }, faults);
  faults.check();
  const ids = await table.get(keys.connection(site.name, 'ids'));
  const id = Number(ids?.last ?? 0) + 1;
  const made = vendor.makesSecret && fields.webhook_secret === undefined ? randomBytes(24).toString('hex') : undefined;
  const webhook = made ?? fields.webhook_secret ?? null;
  const connection: DeskConnection = {
    id,
    system,
    url,
    account,
    source,
    login,
    isShared,
    removing: false,
    name: fields.name ?? new URL(url).host,
    since: fields.since ?? null,
    interval: fields.interval ?? 300,
    paused: fields.paused ?? false,
    options: fields.options ?? {},
    sealed: await sealConnection(tools.keyStore, site.name, id, { token, webhook }),
    hasSecret: webhook !== null,
    doorbell: randomBytes(16).toString('hex'),
    set_at: now,
    created_at: now,
    updated_at: now,
    change: newId(),
  };
  const shown = showIn(context, { connection, progress: undefined, bell: NONE });
  const body = made === undefined ? shown : { ...shown, webhook_secret: made };
  const answer = created(context.origin, `${CONNECTIONS_PATH}/${id}`, body);
  const idsUnchanged = ids === undefined ? ({ absent: true } as const) : { attribute: 'last', equals: id - 1 };
  await context.commit([], answer, [
    { put: connectionItem(site.name, connection), when: { absent: true } },
    { put: { ...keys.connection(site.name, 'ids'), last: id }, when: idsUnchanged },
    ...(['progress', 'doorbell', 'rung', 'check'] as const).map((part) => ({
      delete: keys.connection(site.name, part),
    })),
    wishOf(context),
  ]);
  await tools.wake?.(dueOf(context, connection), newId());
  return answer;
}

/** Adds faults of the source that the facts go to, and of sources that would count the same cases twice. */
async function checkSources(
  context: Context,
  {
    system,
    source,
    supersedes,
  }: { readonly system: System; readonly source: string; readonly supersedes: readonly string[] | undefined },
  faults: Faults,
): Promise<void> {
  const sources = (await listSources(context)).filter(({ isTried }) => !isTried);
  const own = sources.find(({ name }) => name === source);
  if (own?.kind === 'versioned' || (own !== undefined && own.state !== 'open'))
    faults.explain('invalid', ['source'], {
      message: `The source ${source} takes files that replace cases, or is being removed: name another one.`,
    });
  const doubles = sources.flatMap(({ name }) =>
    vendorOf(system).packs.some((pack) => name === pack || name.startsWith(`${pack}:`)) ? [name] : [],
  );
  if (supersedes === undefined && doubles.length > 0) {
    const message = `The same cases came by files with other ids, and would count twice: remove ${doubles.join(', ')} first, or send an empty list.`;
    faults.explain('blank', ['supersedes'], { message, allowed: doubles });
  }
  for (const name of supersedes ?? []) {
    if (!sources.some((one) => one.name === name))
      faults.explain('not_found', ['supersedes'], { message: `There is no source ${name}.` });
    else
      faults.explain('invalid', ['supersedes'], {
        message: `No source is superseded: remove ${name} first, or send an empty list.`,
      });
  }
}

type ChangeCall = Call<ConnectionView, Record<never, never>, typeof fixed & typeof settings>;

/** Changes a connection; what the help desk must accept is tried first. */
async function change({ context, resource, fields, faults }: ChangeCall, tools: LiveTools): Promise<Reply> {
  const { table, site, now, newId } = context;
  const before = resource.connection;
  if (before.removing) throw plainRefusal('conflict', 'The connection is being removed.');
  const { system } = before;
  for (const name of ['system', 'source'] as const)
    if (fields[name] !== undefined && fields[name] !== before[name])
      faults.explain('invalid', [name], { message: `${name} never changes: disconnect, and connect again.` });
  if (fields.supersedes !== undefined && fields.supersedes.length > 0)
    faults.explain('invalid', ['supersedes'], { message: 'No source is superseded.' });
  const url = fields.url === undefined ? before.url : checkUrl(system, fields.url, tools, faults);
  const account = fields.account ?? before.account;
  faults.check();
  const secrets = await openConnection(tools.keyStore, site.name, before);
  const token = fields.credentials?.token ?? secrets?.token;
  const login = fields.credentials === undefined ? before.login : (fields.credentials.login ?? null);
  const isTried = fields.credentials !== undefined || url !== before.url || account !== before.account;
  if (isTried && token === undefined) faults.add('blank', 'credentials');
  faults.check();
  if (isTried) await tryOut(context, tools, { system, url, account, token: token ?? '', login }, faults);
  faults.check();
  const plain = { token: token ?? '', webhook: webhookOf(fields, secrets) };
  const isSecret = fields.credentials !== undefined || fields.webhook_secret !== undefined;
  const planned: DeskConnection = {
    ...before,
    url,
    account,
    login,
    name: fields.name ?? before.name,
    since: fields.since === undefined ? before.since : fields.since,
    interval: fields.interval ?? before.interval,
    paused: fields.paused ?? before.paused,
    options: fields.options ?? before.options,
    ...(isSecret && {
      sealed: await sealConnection(tools.keyStore, site.name, before.id, plain),
      hasSecret: plain.webhook !== null,
    }),
    ...(fields.credentials !== undefined && { set_at: now }),
  };
  if (JSON.stringify(planned) === JSON.stringify(before)) return show(showIn(context, resource));
  const connection = { ...planned, updated_at: now, change: newId() };
  const put = connectionItem(site.name, connection);
  const isWished = isTried || (before.paused && !connection.paused);
  await context.commit([], undefined, [
    { put, when: { attribute: 'change', equals: before.change } },
    ...(isWished ? [wishOf(context)] : []),
  ]);
  if (isWished) await tools.wake?.(dueOf(context, connection), newId());
  const view = await readView(table, site.name);
  return show(showIn(context, view ?? { ...resource, connection }));
}

const webhookOf = ({ webhook_secret }: Settings, secrets: ConnectionSecrets | undefined): string | null =>
  webhook_secret === undefined ? (secrets?.webhook ?? null) : webhook_secret;

/** Disconnects a site; its secret is gone at once. */
async function disconnect(
  {
    context,
    resource: { connection },
    query,
    faults,
  }: Call<ConnectionView, { readonly facts: z.ZodType<'keep' | 'remove'> }>,
  tools: LiveTools,
): Promise<Reply> {
  const { table, site } = context;
  const { facts } = query;
  if (facts === undefined && !faults.any) faults.explain('blank', ['facts'], { allowed: ['keep', 'remove'] });
  if (facts === 'remove' && connection.isShared)
    faults.explain('shared', ['facts'], {
      message: `The source ${connection.source} had events before this connection; keep them, or remove the source afterwards.`,
    });
  faults.check();
  if (connection.removing) return { status: 202 };
  const [source] = await readSources(context, [connection.source]);
  if (facts === 'keep' || source === undefined) {
    await context.commit([], undefined, endWrites(site.name, connection));
    await dropRings(table, site.name);
    return { status: 202 };
  }
  const removing: DeskConnection = {
    ...connection,
    removing: true,
    paused: true,
    change: context.newId(),
    sealed: { key: '', text: '' },
  };
  await context.commit([], undefined, [
    { put: connectionItem(site.name, removing), when: { attribute: 'change', equals: connection.change } },
    { delete: keys.connection(site.name, 'lease') },
    { delete: keys.connection(site.name, 'wish') },
  ]);
  await closeSource({ table, site }, connection.source, 'removing');
  await tools.startRemoval({ site: site.name, source: connection.source });
  return { status: 202 };
}

/** The endpoints of connections; without tools those that write answer 404. */
export const createLiveRoutes = (tools?: LiveTools): readonly Route[] => [
  ...readRoutes,
  ...changeRoutes(tools),
  pullRoute(tools),
  ...createCheckRoutes(tools?.wake, tools !== undefined),
];
