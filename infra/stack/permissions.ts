import { keys, REFERENCE_KINDS, type ReferenceKind } from '../../lib/store/keys.ts';

/**
 * The partitions each function may use: patterns of `dynamodb:LeadingKeys`, made by the functions that make the keys.
 * IAM sees only partition keys: it cannot tell sites apart (one deployment serves them all), nor attributes.
 */
export interface Permissions {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Written, but never deleted: who loses such an item loses more than its values. */
  readonly keeps: readonly string[];
}

/** The functions of every deployment. */
type UsualFunction = 'topics' | 'macros' | 'insights' | 'imports' | 'console' | 'ingest' | 'load' | 'compact';

/** The functions that some deployments have: with a warehouse, with a sender of mails. */
type OptionalFunction = 'warehouse' | 'deliver';

export type FunctionName = UsualFunction | OptionalFunction;

/** Something for each function of a deployment. */
export type EachFunction<T> = Readonly<Record<UsualFunction, T> & Partial<Record<OptionalFunction, T>>>;

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
const lock = keys.lock(ANY).pk;
const ids = keys.ids(ANY).pk;
const topics = keys.topics(ANY).pk;
const macros = keys.macros(ANY).pk;
const actions = anyNumber(keys.actions(ANY, 0).pk);
const articleText = keys.articleText(ANY).pk;
const uploads = keys.uploads(ANY).pk;
const savedReports = keys.savedReports(ANY).pk;
const boards = keys.boards(ANY).pk;
const subscriptions = keys.subscriptions(ANY).pk;
const alerts = keys.alerts(ANY).pk;
const deliveries = keys.deliveries(ANY).pk;
const ended = keys.endedAddresses(ANY).pk;
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
/** By which recipients of mails leave. */
const wayOut = [subscriptions, alerts, deliveries];
/** What people with reports keep. */
const kept = [savedReports, boards, subscriptions, alerts];
/** Read and written by imports of records of any type. */
const content = [topics, articleText, macros, actions, ...references];
const importReads = [deployment, settings, users, ids, ...content, ...wholeHistory];
const importWrites = [ids, ...content, ...wholeHistory];

export const PERMISSIONS: Readonly<Record<FunctionName, Permissions>> = {
  // The knowledge base and the records that links lead to; also the root, /health, /openapi.json and unknown paths. It
  // can read macros, for those of a user, but neither their actions nor history. It alone of those that
  // answer requests writes users and the settings of sites.
  topics: {
    reads: [...caller, ...beside, topics, ids, ...references, articleText, macros, ...wayOut],
    writes: [topics, ids, articleText, ...WRITTEN.map(reference), repeats, ...signIn, deliveries],
    keeps: [users, settings, audit],
  },
  // Macros and their actions, whose values name agents, groups, articles and custom fields. No history, no topics.
  macros: {
    reads: [...caller, ...beside, macros, actions, ids, ...references],
    writes: [macros, actions, ids, repeats, ...signIn],
    keeps: [audit],
  },
  // Meta and reports read all data of reports, and the lock with its waiting clients. They write the lock, and what
  // people keep: saved reports, boards, subscriptions and alerts, with their ids; and what
  // reports go by: calendars and policies. What became of mails they only read.
  insights: {
    reads: [...caller, ...beside, macros, ids, ...kept, deliveries, ended, ...references, ...wholeHistory, lock],
    writes: [lock, ids, ...kept, ...PROMISED.map(reference), repeats, ...signIn],
    keeps: [audit],
  },
  // The state of imports and their turn; neither the content of files nor history.
  imports: {
    reads: [...caller, ...beside, uploads],
    writes: [uploads, repeats, ...signIn],
    keeps: [audit],
  },
  // Pages and files are in its bundle: it needs no table.
  console: { reads: [], writes: [], keeps: [] },
  // The live stream. Events go to the tail, or directly to history if a case has many pending ones. Reference records
  // go to the collection they name: `site` to the settings, an agent with a login to its user, which keeps its
  // password. Ids are raised above those of topics and macros. It assigns no hosts and takes no lock. A
  // record changes some of an article's texts, so the others are read.
  ingest: {
    reads: importReads,
    writes: importWrites,
    keeps: [users, settings],
  },
  // Steps of an import: like `ingest`, with the state of imports, and the audit of what it changes of users.
  load: {
    reads: [...importReads, uploads, audit],
    writes: [...importWrites, uploads],
    keeps: [users, settings, audit],
  },
  // Folding rewrites only history; it reads no users and no content.
  compact: {
    reads: [deployment, settings, ...wholeHistory],
    writes: wholeHistory,
    keeps: [],
  },
  // Mails: computes reports under the lock, as their owners would, and notes what was sent, and which addresses take no
  // mail, with the audit's entry as its proof. It changes nothing else.
  deliver: {
    reads: [
      ...[deployment, settings, users, macros, ...kept, deliveries, ended, audit],
      ...[...references, ...wholeHistory, lock, uploads],
    ],
    writes: [lock, deliveries],
    keeps: [ended, audit],
  },
  // An export reads what reports do. Before, it merges what the tail holds; it has a lease.
  warehouse: {
    reads: [deployment, settings, macros, ...references, ...wholeHistory, exportTurn],
    writes: [...wholeHistory, exportTurn],
    keeps: [],
  },
};

/** The actions of reads; no Scan, no index, no export. */
export const READ_ACTIONS = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'] as const;

/** The actions of writes; a transaction needs those of its parts. */
export const WRITE_ACTIONS = [
  'dynamodb:PutItem',
  'dynamodb:DeleteItem',
  'dynamodb:UpdateItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
] as const;

/** The actions on what is kept; a BatchWriteItem could delete. */
export const KEEP_ACTIONS = ['dynamodb:PutItem', 'dynamodb:ConditionCheckItem'] as const;
