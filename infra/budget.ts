import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { RETENTION } from '../lib/access/audit.ts';
import { WINDOW } from '../lib/access/passwords/guesses.ts';
import { AT_ONCE, WAITING } from '../lib/access/passwords/password-check.ts';
import { THREADS } from '../lib/access/passwords/passwords.ts';
import { MOST_TOKENS } from '../lib/account/new-token.ts';
import { MOST_SESSIONS } from '../lib/account/session-routes.ts';
import { MOST_COMPOSED } from '../lib/deliver/composed.ts';
import { LONGEST_WAIT, MAIL_MS } from '../lib/deliver/deliver.ts';
import { DELIVERY_MS, LAST_RETRY } from '../lib/deliver/delivery.ts';
import { SAME_NUMBERS } from '../lib/deliver/shared/kept-numbers.ts';
import { TIMEOUTS } from '../lib/deliver/transport/smtp.ts';
import { FOLD_MS } from '../lib/history/compact.ts';
import { GRACE_MS } from '../lib/history/compaction/sweep.ts';
import { MOST_IMPORTS } from '../lib/history/sources.ts';
import { CLAIM_MS } from '../lib/history/storage/draft.ts';
import { REPEATS_MS } from '../lib/http/repeats.ts';
import { LONGEST as CALL_MS, SILENCE as CALL_SILENCE_MS } from '../lib/live/call.ts';
import { LENGTH as PULL_MS } from '../lib/live/progress.ts';
import { MOST_RINGS } from '../lib/live/rings.ts';
import { LIMITS } from '../lib/settings.ts';
import { COLLECTION_LIMITS, type Limited } from '../lib/store/bounds.ts';
import { AWS_CALLS, TABLE_CALLS } from '../lib/store/client.ts';
import type { keys, ReferenceKind } from '../lib/store/keys.ts';
import { STILL_MS } from '../lib/store/lease.ts';
import { SECRET_CALLS } from '../lib/store/secret.ts';
import { BEAT_MS, SILENT_MS } from '../lib/uploads/arrival.ts';
import { QUOTA, RECORD_MS } from '../lib/uploads/quota.ts';
import { HANDED_MS, TURN_MS } from '../lib/uploads/turn.ts';
import { LEASE_MS as EXPORT_MS } from '../lib/warehouse/export.ts';
import { BODY_LIMITS, STREAM } from './local/server/body.ts';
import { MOST_CONNECTIONS } from './local/server/server.ts';

/** Something that is held for a while: a lease, a timer, a process, a socket, a call. */
interface Held {
  readonly what: string;
  readonly bound: string; // its total time, least rate or count
  readonly where: readonly string[]; // the files that take it
}

/** Something that is kept in the table, with what stays of deleted ones. */
interface StoredKind {
  readonly what: string;
  readonly bound: string;
  readonly deleted: string; // what stays of a deleted one
  readonly keys: readonly (keyof typeof keys)[];
  readonly kinds?: readonly ReferenceKind[]; // of reference records
}

const DAY = 86_400_000; // ms

/** A time in its largest whole unit. */
function time(ms: number): string {
  for (const [unit, size] of [
    ['d', DAY],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ] as const)
    if (ms % size === 0) return `${ms / size} ${unit}`;
  return `${ms} ms`;
}

const count = (number: number): string => number.toLocaleString('en');
const gib = (bytes: number): string => `${bytes / 2 ** 30} GiB`;
const mib = (bytes: number): string => `${bytes / 2 ** 20} MiB`;
const most = (kind: Limited): string => `${count(COLLECTION_LIMITS[kind])} a ${kind === 'actions' ? 'macro' : 'site'}`;
const still = `without progress ${time(STILL_MS)}`;

/** Everything that is held. A test finds what takes something in the code, and asks for its entry. */
export const HELD: readonly Held[] = [
  {
    what: 'the insights lock of a site',
    bound: `${time(LIMITS.lease)}; an answer within ${time(LIMITS.answerWithin)}`,
    where: ['lib/http/answer.ts'],
  },
  {
    what: 'the turn of a site’s imports, and of an erasure',
    bound: `${time(TURN_MS)} unless renewed, ${time(HANDED_MS)} once handed over, ${still}`,
    where: ['lib/uploads/turn.ts'],
  },
  {
    what: 'a file that arrives',
    bound: `${count(QUOTA.arriving)} a site; a body of ${time(STREAM.whole)}, ${STREAM.rate / 1024} KiB/s after ${time(STREAM.start)}, ${time(STREAM.silence)} without a byte; its sender is looked up each ${time(BEAT_MS)}; dead after ${time(SILENT_MS)}`,
    where: ['lib/uploads/arrival.ts', 'infra/local/server/body.ts'],
  },
  { what: 'a compaction', bound: time(FOLD_MS), where: ['lib/history/compact.ts', 'infra/local/compaction.ts'] },
  {
    what: 'an export to the warehouse',
    bound: `${time(EXPORT_MS)} unless renewed, ${still}`,
    where: ['lib/warehouse/export.ts'],
  },
  {
    what: 'a pull of a help desk',
    bound: `${time(PULL_MS)} unless renewed, ${still}; a call of ${time(CALL_MS)}, ${time(CALL_SILENCE_MS)} without a byte`,
    where: ['lib/live/pull.ts', 'lib/live/call.ts'],
  },
  {
    what: 'a delivery',
    bound: `${time(DELIVERY_MS)} unless renewed; a mail of ${time(MAIL_MS)}; ${time(LONGEST_WAIT)} of waiting for an import; ${time(LAST_RETRY)} between tries; composed mails of ${count(MOST_COMPOSED)} characters`,
    where: ['lib/deliver/deliver.ts', 'lib/deliver/leave.ts'],
  },
  {
    what: 'a connection to a mail server',
    bound: `the mail; ${time(TIMEOUTS.connectionTimeout)} to connect, ${time(TIMEOUTS.socketTimeout)} without a byte`,
    where: ['lib/deliver/transport/smtp.ts'],
  },
  {
    what: 'a call to the table in the cloud',
    bound: `${time(TABLE_CALLS.silence)} without a byte, ${TABLE_CALLS.tries} tries, ${TABLE_CALLS.sockets} at once`,
    where: ['lib/store/client.ts'],
  },
  {
    what: 'a call for a secret',
    bound: `${time(SECRET_CALLS.silence)} without a byte, ${SECRET_CALLS.tries} tries`,
    where: ['lib/store/secret.ts'],
  },
  {
    what: 'a call to a bucket, a queue, Athena or the mail service of AWS',
    bound: `the time of its function; ${time(AWS_CALLS.connectionTimeout)} to connect, ${time(AWS_CALLS.socketTimeout)} without a byte`,
    where: [
      'lib/store/athena.ts',
      'lib/store/objects.ts',
      'functions/queues.ts',
      'functions/ingest.ts',
      'functions/deliver.ts',
    ],
  },
  {
    what: 'the numbers of a board that its links show',
    bound: `${time(LIMITS.lease)}; an answer within ${time(LIMITS.answerWithin)}; computed once in ${time(SAME_NUMBERS)}`,
    where: ['lib/deliver/shared/kept-numbers.ts'],
  },
  {
    what: 'the process of an import or a removal',
    bound: `the turn of its import; ${still}; killed when it hangs or the service ends`,
    where: [
      'infra/local/uploads/upload-store.ts',
      'infra/local/threads/watched-process.ts',
      'infra/local/threads/watch-thread.ts',
    ],
  },
  {
    what: 'a step of an import, or a pull, in the cloud',
    bound: 'the time of its function',
    where: ['functions/hidden.ts'],
  },
  {
    what: 'a connection to the server',
    bound: `${count(MOST_CONNECTIONS)} in all; bodies of ${mib(BODY_LIMITS.all)} in all, ${mib(BODY_LIMITS.site)} a site, ${mib(BODY_LIMITS.user)} a user, ${time(BODY_LIMITS.whole)} each, ${time(BODY_LIMITS.silence)} without a byte`,
    where: ['infra/local/server/server.ts'],
  },
  {
    what: 'threads that check passwords',
    bound: `${THREADS} a process; ${AT_ONCE} checks, ${WAITING} more wait`,
    where: ['lib/access/passwords/scrypt-thread.ts'],
  },
  { what: 'the thread of reports', bound: '1 a process', where: ['infra/local/threads/insights-in-thread.ts'] },
  {
    what: 'a thread that reads a file',
    bound: '1 an import that reads',
    where: ['infra/local/threads/rows-in-thread.ts'],
  },
  {
    what: 'the process that looks for damage',
    bound: '1 a start, which waits for it',
    where: ['infra/local/table/damage.ts'],
  },
  {
    what: 'timers of the service',
    bound: 'the life of its process',
    where: ['infra/local/signals.ts', 'infra/local/repeat.ts'],
  },
];

const GONE = 'nothing';
const ONCE_NAMED = 'nothing if no case and no record names it';
const UNTIL_NAMED = `${ONCE_NAMED}, else its name, which counts`;

/** Everything that is kept. A key, or a kind of records, without an entry fails a test. */
export const KEPT: readonly StoredKind[] = [
  {
    what: 'sites',
    bound: 'the operator adds them',
    deleted: GONE,
    keys: ['defaultSite', 'deployment', 'siteEntry', 'host', 'site'],
  },
  { what: 'locks', bound: '1 a site, 1 for the warehouse', deleted: GONE, keys: ['warehouse', 'lock'] },
  {
    what: 'queries of the warehouse for reports',
    bound: '1 a site; what they read by day, for a week',
    deleted: GONE,
    keys: ['engineQuery', 'engineDay'],
  },
  {
    what: 'users',
    bound: `${most('users')}, save what imports bring`,
    deleted: 'login, role and generation, which count',
    keys: ['users', 'user'],
  },
  {
    what: 'tokens and sessions',
    bound: `${MOST_TOKENS} and ${MOST_SESSIONS} a user`,
    deleted: GONE,
    keys: ['tokens', 'token'],
  },
  { what: 'wrong passwords', bound: `${WINDOW} min`, deleted: GONE, keys: ['guesses', 'guessCount'] },
  { what: 'answers of Idempotency-Key', bound: time(REPEATS_MS), deleted: GONE, keys: ['repeats'] },
  { what: 'the audit', bound: `${RETENTION} d`, deleted: GONE, keys: ['audit', 'auditEntry'] },
  { what: 'counters of requests', bound: '1 a user', deleted: GONE, keys: ['rate'] },
  { what: 'counters of ids, heads and orders', bound: '1 a collection', deleted: GONE, keys: ['ids', 'head', 'order'] },
  { what: 'topics', bound: most('topics'), deleted: `${ONCE_NAMED}, else the time, which counts`, keys: ['topics'] },
  { what: 'macros', bound: most('macros'), deleted: UNTIL_NAMED, keys: ['macros'] },
  { what: 'actions', bound: most('actions'), deleted: `${ONCE_NAMED}, else the time, which counts`, keys: ['actions'] },
  { what: 'labels', bound: most('labels'), deleted: UNTIL_NAMED, keys: ['reference'], kinds: ['label'] },
  { what: 'brands', bound: most('brands'), deleted: UNTIL_NAMED, keys: ['reference'], kinds: ['brand'] },
  {
    what: 'custom fields',
    bound: most('custom fields'),
    deleted: UNTIL_NAMED,
    keys: ['reference'],
    kinds: ['custom_field'],
  },
  { what: 'companies', bound: most('companies'), deleted: UNTIL_NAMED, keys: ['reference'], kinds: ['company'] },
  { what: 'calendars', bound: most('calendars'), deleted: UNTIL_NAMED, keys: ['reference'], kinds: ['calendar'] },
  {
    what: 'SLA policies',
    bound: most('SLA policies'),
    deleted: UNTIL_NAMED,
    keys: ['reference'],
    kinds: ['sla_policy'],
  },
  {
    what: 'articles',
    bound: most('articles'),
    deleted: `${ONCE_NAMED}, else its subject, which counts`,
    keys: ['reference', 'articleText'],
    kinds: ['article'],
  },
  {
    what: 'agents, groups and channels',
    bound: `no number: imports make them; agents of users: ${most('users')}`,
    deleted: `${ONCE_NAMED}, else its name`,
    keys: ['reference'],
    kinds: ['agent', 'group', 'channel'],
  },
  { what: 'saved reports', bound: most('saved reports'), deleted: GONE, keys: ['savedReports'] },
  { what: 'boards', bound: most('boards'), deleted: GONE, keys: ['boards'] },
  { what: 'links to boards', bound: most('links to boards'), deleted: GONE, keys: ['boardLinks'] },
  {
    what: 'what links show, and how often',
    bound: `1 a board for 1 h, and a count a link until 30 d after its end`,
    deleted: GONE,
    keys: ['sharedBoards', 'sharedBoard', 'sharedTurn', 'linkViews'],
  },
  { what: 'subscriptions', bound: most('subscriptions'), deleted: GONE, keys: ['subscriptions'] },
  { what: 'alerts', bound: most('alerts'), deleted: GONE, keys: ['alerts'] },
  { what: 'deliveries', bound: '1 a subscription or alert', deleted: GONE, keys: ['deliveries', 'delivery'] },
  {
    what: 'addresses that get nothing more',
    bound: '1 a user',
    deleted: GONE,
    keys: ['endedAddresses', 'endedAddress'],
  },
  {
    what: 'imports and their files',
    bound: `${QUOTA.open} open, ${gib(QUOTA.bytes)} a site; records ${time(RECORD_MS.loaded)} if loaded, else ${time(RECORD_MS.other)}`,
    deleted: GONE,
    keys: ['uploads', 'upload', 'uploadTurn'],
  },
  { what: 'connections', bound: '1 a site', deleted: GONE, keys: ['connections', 'connection'] },
  {
    what: 'rings of a help desk',
    bound: `${count(MOST_RINGS)} cases`,
    deleted: GONE,
    keys: ['rings', 'ring', 'ringMinute'],
  },
  {
    what: 'history',
    bound: 'no number: what is imported',
    deleted: `blobs for ${time(GRACE_MS)} after they were replaced`,
    keys: [
      'history',
      'manifest',
      'directory',
      'blobIds',
      'garbage',
      'lease',
      'leaf',
      'segment',
      'manifestPart',
      'tail',
      'pending',
      'folded',
    ],
  },
  { what: 'claims of writers', bound: time(CLAIM_MS), deleted: GONE, keys: ['claim'] },
  {
    what: 'sources and what undoing needs',
    bound: `${MOST_IMPORTS} imports of a source`,
    deleted: GONE,
    keys: ['source', 'known', 'knownPart', 'changes', 'changeNotes'],
  },
  { what: 'erasures', bound: '1 a person', deleted: GONE, keys: ['erasures', 'erased'] },
];

/** The budget as a document. */
export function budgetText(): string {
  const held = HELD.map(
    ({ what, bound, where }) => `| ${what} | ${bound} | ${where.map((file) => `\`${file}\``).join(', ')} |`,
  );
  const rows = KEPT.map(
    ({ what, bound, deleted, keys }) =>
      `| ${what} | ${bound} | ${deleted} | ${keys.map((key) => `\`${key}\``).join(', ')} |`,
  );
  return [
    '# What is held, and what is kept',
    '`infra/budget.ts` writes this page (`npm run budget`) of the constants that bound each thing; a test fails for a thing without an entry.',
    ['## Held', '| what | at most | taken in |\n|---|---|---|', ...held].join('\n'),
    ['## Kept', '| what | at most | of a deleted one stays | keys |\n|---|---|---|---|', ...rows].join('\n'),
    '',
  ]
    .join('\n\n')
    .replace(/\n\n$/, '\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync('docs/budget.md', budgetText());
