import { Duration, Size } from 'aws-cdk-lib';
import { LEAVE_PATH } from '../../lib/deliver/leave.ts';
import type { Route } from '../../lib/http/route.ts';
import { SHARED_PATH } from '../../lib/insights/saved/board-link.ts';
import { DOORBELLS } from '../../lib/live/show.ts';
import { groups } from '../../lib/routes.ts';
import { keys, REFERENCE_KINDS, type ReferenceKind } from '../../lib/store/keys.ts';
import { keysOf, recordOf } from '../../lib/typed-object.ts';
import type { Deployment } from './context.ts';
import type { Permissions } from './permissions.ts';

/** What the stack knows of a function; its code is `functions/<name>.ts`. */
export interface FunctionEntry extends Permissions {
  readonly about: string;
  readonly memory: number; // MB
  readonly timeout: Duration;
  readonly disk?: Size; // absent: 512 MB
  /** Calls at once that are reserved for it in stages that are kept, and never more; by name: a context value. */
  readonly atOnce: number | 'insightsConcurrency' | 'ingestConcurrency' | 'importConcurrency';
  /** The paths that the gateway asks it for, with those below. Absent: it answers no requests. */
  readonly paths?: readonly string[];
  /** Shell commands that put files beside its code; `from` is the project's folder. */
  readonly beside?: (folders: { readonly from: string; readonly to: string }) => string[];
  /** Whether a deploy with a canary shifts its calls step by step. */
  readonly shifts?: true;
  /** Whether its calls lead to more of them; Lambda would stop the 16th. */
  readonly callsItself?: true;
  /** Which deployments have it; absent: every one. */
  readonly only?: (deployment: Deployment) => boolean;
}

const CORE = 1769; // MB of memory with which a function gets one core

const answering = Duration.seconds(28); // API Gateway stops waiting after 29 s; the insights lease is 30 s (lib/settings.ts)

const ANY = '*';
const anyNumber = (pattern: string): string => pattern.replace(/0$/, ANY);
const reference = (kind: ReferenceKind): string => keys.reference(ANY, kind).pk;

const host = keys.host(ANY).pk;
const deployment = keys.deployment().pk;
const settings = keys.site(ANY).pk;
const users = keys.users(ANY).pk;
const tokens = keys.tokens(ANY).pk;
const guesses = keys.guesses(ANY, '', '').pk;
const repeats = keys.repeats(ANY, '').pk;
const audit = keys.audit(ANY).pk;
const rates = keys.rate(ANY, '').pk;
const lock = keys.lock(ANY).pk; // and beside it the query of a report that runs
const engineDays = keys.engineDay(ANY).pk;
const ids = keys.ids(ANY).pk;
const topics = keys.topics(ANY).pk;
const macros = keys.macros(ANY).pk;
const actions = anyNumber(keys.actions(ANY, 0).pk);
const articleText = keys.articleText(ANY).pk;
const uploads = keys.uploads(ANY).pk;
const savedReports = keys.savedReports(ANY).pk;
const boards = keys.boards(ANY).pk;
const boardLinks = keys.boardLinks(ANY).pk;
const shared = keys.sharedBoards(ANY).pk;
const subscriptions = keys.subscriptions(ANY).pk;
const alerts = keys.alerts(ANY).pk;
const deliveries = keys.deliveries(ANY).pk;
const ended = keys.endedAddresses(ANY).pk;
const connections = keys.connections(ANY).pk;
const rings = keys.rings(ANY).pk;
const history = keys.history(ANY).pk;
const ledger = anyNumber(keys.leaf(ANY, 0, 0).pk);
const changes = anyNumber(keys.changeNotes(ANY, 0, 0).pk);
const segments = anyNumber(keys.segment(ANY, 0, 0).pk);
const exportTurn = keys.warehouse().pk;
const tail = anyNumber(keys.tail(ANY, 0).pk);
const references = REFERENCE_KINDS.map(reference);
/** The reference records that the API writes. */
const WRITTEN: readonly ReferenceKind[] = ['agent', 'article', 'brand', 'label', 'company', 'custom_field'];
/** Those that reports go by, whose filters are checked as those of reports. */
const PROMISED: readonly ReferenceKind[] = ['calendar', 'sla_policy'];

/** Read for every request: its site by the host, its user, password attempts or token, and the rate limit. */
const caller = [host, deployment, settings, users, tokens, guesses, rates];
/** Written at sign-in: the day of a token's use, counts of wrong passwords and of requests. */
const signIn = [tokens, guesses, rates];
/** Read and written with every change: the audit's entry as its proof, and the kept answer of a request with a key. */
const beside = [repeats, audit];
const wholeHistory = [history, ledger, changes, segments, tail];
/** What people with reports keep. */
const savedThings = [savedReports, boards, boardLinks, subscriptions, alerts];
/** Read and written by imports of records of any type. */
const content = [topics, articleText, macros, actions, ...references];
const importReads = [deployment, settings, users, ids, ...content, ...wholeHistory];
const importWrites = [ids, ...content, ...wholeHistory];

const ROOT = '/'; // with `/health`, `/openapi.json` and unknown paths

/** The paths of the collections of a group's routes, `/api/v2/<collection>`, without duplicates. */
const collections = (routes: readonly Pick<Route, 'path'>[]): string[] => [
  ...new Set(routes.map(({ path }) => path.split('/').slice(0, 4).join('/'))),
];

/** Every function of the stack, and all that names one beside its code. */
export const FUNCTIONS = {
  // The knowledge base and the records that links lead to; also the root, /health, /openapi.json and unknown paths. It
  // can read macros, for those of a user, but neither their actions nor history. It alone of those that
  // answer requests writes users and the settings of sites.
  topics: {
    about: 'Topics, brands and translations; health, OpenAPI, unknown paths',
    // One core for each function that checks passwords: scrypt takes 0.4 s of a core and 128 MiB.
    memory: CORE,
    timeout: answering,
    atOnce: 100,
    paths: [ROOT, ...collections(groups.topics)],
    beside: ({ from, to }) => [`cp ${from}/openapi.json ${to}/`],
    shifts: true,
    reads: [...caller, ...beside, topics, ids, ...references, articleText, macros],
    writes: [topics, ids, articleText, ...WRITTEN.map(reference), repeats, ...signIn],
    keeps: [users, settings, audit],
  },
  // Macros and their actions, whose values name agents, groups, articles and custom fields. No history, no topics.
  macros: {
    about: 'Macros and their actions',
    memory: CORE,
    timeout: answering,
    atOnce: 50,
    paths: collections(groups.macros),
    shifts: true,
    reads: [...caller, ...beside, macros, actions, ids, ...references],
    writes: [macros, actions, ids, repeats, ...signIn],
    keeps: [audit],
  },
  // Meta and reports read all data of reports, and the lock with its waiting clients. They write the lock, and what
  // people keep: saved reports, boards, subscriptions and alerts, with their ids; and what
  // reports go by: calendars and policies; and who of the recipients of a mail leaves, by the link in it;
  // and the numbers of boards that links show, which viewers share.
  insights: {
    about: 'Insights meta and reports',
    // Two cores: one inflates segments while the other scans.
    memory: 2 * CORE,
    timeout: answering,
    atOnce: 'insightsConcurrency',
    paths: [...collections(groups.insights), LEAVE_PATH, SHARED_PATH],
    shifts: true,
    reads: [
      ...caller,
      ...beside,
      macros,
      ids,
      ...savedThings,
      shared,
      deliveries,
      ended,
      ...references,
      ...wholeHistory,
      lock,
      engineDays,
    ],
    writes: [lock, engineDays, ids, ...savedThings, shared, deliveries, ...PROMISED.map(reference), repeats, ...signIn],
    keeps: [audit],
  },
  // The state of imports and their turn; neither the content of files nor history.
  imports: {
    about: 'Files of support history, as they stand',
    memory: CORE,
    timeout: answering,
    atOnce: 20,
    paths: collections(groups.imports),
    shifts: true,
    reads: [...caller, ...beside, uploads],
    writes: [uploads, repeats, ...signIn],
    keeps: [audit],
  },
  // Connections to help desks and their doorbells, which sign nobody in; the sources of history, which it counts and
  // closes: the list of sources lies beside the history. It reads the key of connections, and stores no facts.
  connections: {
    about: 'Connections to help desks, doorbells, sources',
    memory: CORE,
    timeout: answering,
    atOnce: 20,
    paths: [...collections(groups.connections), DOORBELLS],
    shifts: true,
    reads: [...caller, ...beside, connections, rings, ...wholeHistory, lock],
    writes: [connections, rings, history, lock, repeats, ...signIn],
    keeps: [audit],
  },
  // Pulls: like `ingest`, with the connections and what rang; a help desk changes no user and no settings of a site.
  pulls: {
    about: 'Pulls from help desks',
    // One pull a call. It ends after ten minutes (functions/pulls.ts).
    memory: CORE,
    timeout: Duration.minutes(15),
    atOnce: 10, // as many as the queue calls, and two by the schedule
    callsItself: true,
    reads: [...importReads, connections, rings],
    writes: [...importWrites, connections, rings],
    keeps: [],
  },
  // Pages and files are in its bundle: it needs no table.
  console: {
    about: 'The console and the API reference',
    // It only serves files from memory.
    memory: 512,
    timeout: Duration.seconds(10),
    atOnce: 20,
    paths: ['/console', '/docs'],
    beside: ({ from, to }) => [`cd ${from} && node --import tsx infra/console/write.ts ${to}/console.json`],
    shifts: true,
    reads: [],
    writes: [],
    keeps: [],
  },
  // The live stream. Events go to the tail, or directly to history if a case has many pending ones. Reference records
  // go to the collection they name: `site` to the settings, an agent with a login to its user, which keeps its
  // password. Ids are raised above those of topics and macros. It assigns no hosts and takes no lock. A
  // record changes some of an article's texts, so the others are read.
  ingest: {
    about: 'Support history from the queue',
    // The queue calls it so many times at once at most; reserved, so that requests never leave it none.
    memory: CORE,
    timeout: Duration.seconds(30),
    atOnce: 'ingestConcurrency',
    shifts: true,
    reads: [...importReads, audit],
    writes: importWrites,
    keeps: [users, settings, audit],
  },
  // Steps of an import: like `ingest`, with the state of imports, and the audit of what it changes of users.
  load: {
    about: 'Steps of imports',
    // The longest timeout of Lambda; a step ends earlier (infra/stack/context.ts). Two cores: one runs the import, the
    // other V8's garbage collector.
    memory: 2 * CORE,
    timeout: Duration.minutes(15),
    disk: Size.gibibytes(10), // for the file and its sorted parts
    atOnce: 'importConcurrency',
    beside: ({ from, to }) => [`cp -r ${from}/lib/import/packs ${to}/packs && rm -f ${to}/packs/*.ts`],
    callsItself: true,
    reads: [...importReads, uploads, audit],
    writes: [...importWrites, uploads],
    keeps: [users, settings, audit],
  },
  // Folding rewrites history, and settles once what stays of deleted things (lib/import/unnamed.ts); it reads no users.
  compact: {
    about: 'Folds small segments into large ones',
    // The timeout is shorter than the compactor's lease (lib/history/compact.ts), so that two never fold at the same
    // time.
    memory: CORE,
    timeout: Duration.minutes(9),
    atOnce: 2, // the schedule's run, and one by hand beside it
    reads: [deployment, settings, topics, macros, ...references, audit, ...wholeHistory],
    writes: [topics, macros, ...references, ...wholeHistory],
    keeps: [],
  },
  // An export reads what reports do. Before, it merges what the tail holds; it has a lease.
  warehouse: {
    about: 'Exports to the warehouse',
    // Two cores: one exports, the other runs V8's garbage collector.
    memory: 2 * CORE,
    timeout: Duration.minutes(15),
    disk: Size.gibibytes(10), // for the files of a site's events
    atOnce: 10, // as many as the queue calls, and two by hand
    only: ({ warehouse }) => warehouse === 'on',
    reads: [deployment, settings, macros, ...references, ...wholeHistory, exportTurn],
    writes: [...wholeHistory, exportTurn],
    keeps: [],
  },
  // Mails: computes reports under the lock, as their owners would, and notes what was sent, and which addresses take no
  // mail, with the audit's entry as its proof. It changes nothing else.
  deliver: {
    about: 'Mails that are due',
    // As for insights: it computes reports. The lease of a delivery lets only one run send a mail.
    memory: 2 * CORE,
    timeout: Duration.minutes(9),
    atOnce: 12, // as many as the queue calls, the schedule's run, and one that it repeats
    only: ({ mailFrom }) => mailFrom !== undefined,
    reads: [
      ...[deployment, settings, users, macros, ...savedThings, deliveries, ended, audit],
      ...[...references, ...wholeHistory, lock, engineDays, uploads],
    ],
    writes: [lock, engineDays, deliveries],
    keeps: [ended, audit],
  },
} as const satisfies Readonly<Record<string, FunctionEntry>>;

type Entries = typeof FUNCTIONS;

export type FunctionName = keyof Entries;

/** The functions that only some deployments have. */
type OptionalFunction = { [N in FunctionName]: Entries[N] extends { only: unknown } ? N : never }[FunctionName];

/** Something for each function of a deployment. */
export type EachFunction<T> = Readonly<
  Record<Exclude<FunctionName, OptionalFunction>, T> & Partial<Record<OptionalFunction, T>>
>;

/** The entry of a function. */
export const entryOf = (name: FunctionName): FunctionEntry => FUNCTIONS[name];

/** Makes something for each function of a deployment. */
export const eachFunction = <T>(deployment: Deployment, make: (name: FunctionName) => T): EachFunction<T> =>
  recordOf(
    keysOf(FUNCTIONS).filter((name) => entryOf(name).only?.(deployment) ?? true),
    make,
  );

/** Whether a function checks the callers of requests. */
export const checksCallers = ({ reads }: FunctionEntry): boolean => reads.includes(tokens);
