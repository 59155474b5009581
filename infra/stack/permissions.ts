import { keys, REFERENCE_KINDS, type ReferenceKind } from '../../lib/store/keys.ts';

/**
 * Which partitions each function may touch: patterns of `dynamodb:LeadingKeys`, made by the very functions that make the
 * keys. IAM sees partition keys alone: it cannot tell sites apart (one deployment serves them all), nor attributes.
 */
export interface Permissions {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

export type FunctionName = 'topics' | 'macros' | 'insights' | 'imports' | 'console' | 'ingest' | 'load' | 'compact';

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
const history = keys.history(ANY).pk;
const ledger = anyNumber(keys.leaf(ANY, 0, 0).pk);
const segments = anyNumber(keys.segment(ANY, 0, 0).pk);
const tail = anyNumber(keys.tail(ANY, 0).pk);
const references = REFERENCE_KINDS.map(reference);

/** Every request names a site by its host and is made by one of the site's users, with a password or a token. */
const caller = [host, deployment, settings, users, tokens, guesses, rates];
/** What signing in writes: a hash of today's cost, the day a token was used, how many passwords were wrong, how much was asked. */
const signIn = [users, tokens, guesses, rates];
/** What a change writes beside itself: the audit's entry, which is looked for again, and the answer to a request with a key. */
const beside = [repeats, audit];
const wholeHistory = [history, ledger, segments, tail];
/** What records of any type bring, and what is read for it. */
const taking = [deployment, settings, users, ids, topics, macros, actions, ...references, ...wholeHistory];
const bringing = [settings, users, ids, topics, macros, actions, ...references, articleText, ...wholeHistory];

export const PERMISSIONS: Readonly<Record<FunctionName, Permissions>> = {
  // The knowledge base and the records that links lead to; also the root, /health, /openapi.json and unknown paths. It
  // sees neither macros nor history.
  topics: {
    reads: [...caller, ...beside, topics, ids, ...references, articleText],
    writes: [topics, ids, ...beside, ...signIn],
  },
  // Macros and their actions, whose values name agents, groups, articles and custom fields. No history, no topics.
  macros: {
    reads: [...caller, ...beside, macros, actions, ids, ...references],
    writes: [macros, actions, ids, ...beside, ...signIn],
  },
  // Meta and reports read everything that is reported on, and who waits for the lock. They write the lock, and saved reports
  // with their ids.
  insights: {
    reads: [...caller, ...beside, macros, ids, savedReports, ...references, ...wholeHistory, lock],
    writes: [lock, ids, savedReports, ...beside, ...signIn],
  },
  // Imports of files as they stand and whose turn it is; not what is in them, nor any history.
  imports: {
    reads: [...caller, ...beside, uploads],
    writes: [uploads, ...beside, ...signIn],
  },
  // Pages and files are in its bundle: it sees no table at all.
  console: { reads: [], writes: [] },
  // The live stream. Events go to the tail, or at once to history where a case has many pending; reference records to what
  // they name: `site` to the settings, an agent with a login to its user, which keeps its password. Ids are raised above
  // those of topics and macros. It gives no host to a site, holds no lock, and writes articles' texts without reading them.
  ingest: {
    reads: taking,
    writes: bringing,
  },
  // Steps of an import: all that records of a file can bring, as `ingest`, and how far the import is.
  load: {
    reads: [...taking, uploads],
    writes: [...bringing, uploads],
  },
  // Folding rewrites history and nothing else; it reads no user and no content.
  compact: {
    reads: [deployment, settings, ...wholeHistory],
    writes: wholeHistory,
  },
};

/** The actions that reading takes; no Scan, no index, no export. */
export const READ_ACTIONS = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'] as const;

/** The actions that writing takes; a transaction needs those of its parts. */
export const WRITE_ACTIONS = [
  'dynamodb:PutItem',
  'dynamodb:DeleteItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
] as const;
