import { readFileSync } from 'node:fs';
import { type Key, keys, members, type Partition } from '../../../lib/store/keys.ts';

const SITE = 'acme';
const HASH = 'a1b2c3';

/** The items of a collection: its head, its order, and its members. */
const collection = (partition: Partition, ...of: string[]): Key[] => [
  keys.head(partition),
  keys.order(partition),
  ...of.map((sk) => ({ ...partition, sk })),
];

const topics = keys.topics(SITE);
const PARTS = ['settings', 'ids', 'progress', 'lease', 'wish', 'doorbell', 'rung', 'check'] as const;

/** What each function of `keys` makes, or what lies in the partition that it names. */
const MADE: { readonly [Name in keyof typeof keys]: readonly Key[] } = {
  defaultSite: [keys.defaultSite()],
  deployment: [keys.siteEntry(SITE)],
  siteEntry: [keys.siteEntry(SITE)],
  host: [keys.host('help.acme.example')],
  site: [keys.site(SITE)],
  warehouse: [keys.warehouse(), keys.warehouse(SITE)],
  lock: [keys.lock(SITE)],
  engineQuery: [keys.engineQuery(SITE)],
  engineDay: [keys.engineDay('2026-01-01')],
  users: [keys.user(SITE, 'ann@acme.example')],
  user: [keys.user(SITE, 'ann@acme.example')],
  tokens: [keys.token(SITE, HASH)],
  token: [keys.token(SITE, HASH)],
  guesses: ['pair', 'address', 'login'].map((counter) => keys.guesses(SITE, counter, HASH)),
  guessCount: ['pair', 'address', 'login'].map((counter) => keys.guessCount(SITE, counter, HASH, 1_999_999)),
  repeats: [keys.repeats(SITE, HASH)],
  audit: [keys.auditEntry(SITE, '2026-01-01T00:00:00Z', HASH)],
  auditEntry: [keys.auditEntry(SITE, '2026-01-01T00:00:00Z', HASH)],
  rate: [keys.rate(SITE, HASH)],
  ids: [keys.head(keys.ids(SITE))],
  topics: collection(topics, members.topic(7), members.translation(7, 'en')),
  macros: collection(keys.macros(SITE), members.macro(7)),
  actions: collection(keys.actions(SITE, 7), members.action(8)),
  reference: [keys.head(keys.reference(SITE, 'agent')), { ...keys.reference(SITE, 'agent'), sk: members.item(7) }],
  articleText: [
    members.articleText(7),
    members.translatedText(7, 'de'),
    members.channelTexts(7),
    members.channelTexts(7, 'de'),
  ].map((sk) => ({ ...keys.articleText(SITE), sk })),
  savedReports: collection(keys.savedReports(SITE), members.savedReport(7)),
  boards: collection(keys.boards(SITE), members.board(7)),
  boardLinks: collection(keys.boardLinks(SITE), members.boardLink(7)),
  linkViews: [keys.linkViews(SITE, 7)],
  sharedBoards: [keys.linkViews(SITE, 7), keys.sharedBoard(SITE, 7), keys.sharedTurn(SITE, 7)],
  sharedBoard: [keys.sharedBoard(SITE, 7)],
  sharedTurn: [keys.sharedTurn(SITE, 7)],
  subscriptions: collection(keys.subscriptions(SITE), members.subscription(7)),
  alerts: collection(keys.alerts(SITE), members.alert(7)),
  deliveries: [members.subscription(7), members.alert(7)].map((member) => keys.delivery(SITE, member)),
  delivery: [keys.delivery(SITE, members.alert(7))],
  endedAddresses: [keys.endedAddress(SITE, 'ann@acme.example')],
  endedAddress: [keys.endedAddress(SITE, 'ann@acme.example')],
  uploads: [keys.upload(SITE, 7), keys.uploadTurn(SITE)],
  upload: [keys.upload(SITE, 7)],
  uploadTurn: [keys.uploadTurn(SITE)],
  connections: PARTS.map((part) => keys.connection(SITE, part)),
  connection: PARTS.map((part) => keys.connection(SITE, part)),
  rings: [keys.ring(SITE, '7'), keys.ringMinute(SITE, 29_000_000)],
  ring: [keys.ring(SITE, '7')],
  ringMinute: [keys.ringMinute(SITE, 29_000_000)],
  head: [keys.head(topics)],
  order: [keys.order(topics)],
  history: [keys.head(keys.history(SITE))],
  manifest: [keys.manifest(SITE)],
  directory: [keys.directory(SITE, 0), keys.directory(SITE, 63)],
  blobIds: [keys.blobIds(SITE)],
  claim: [keys.claim(SITE, 7)],
  garbage: [keys.garbage(SITE, 7)],
  source: [keys.source(SITE, 'zendesk')],
  erasures: [keys.erasures(SITE)],
  erased: [keys.erased(SITE, HASH)],
  changes: [keys.changes(SITE, 'zendesk', 'upload-7', 1)],
  known: [keys.known(SITE, 'zendesk')],
  knownPart: [keys.knownPart(SITE, 'zendesk', 7)],
  lease: [keys.lease(SITE)],
  leaf: [keys.leaf(SITE, 7, 0)],
  changeNotes: [keys.changeNotes(SITE, 7, 0)],
  segment: [keys.segment(SITE, 7, 0)],
  manifestPart: [keys.manifestPart(SITE, 7, 0)],
  tail: [keys.folded(SITE, 3)],
  pending: [keys.pending(SITE, 3, HASH)],
  folded: [keys.folded(SITE, 3)],
};

const made = Object.entries(MADE).flatMap(([name, all]) => all.map((key) => ({ name, ...key })));

/** A row's key; capitals, `n`, `NAME` and `<…>` of the chart stand for any text between two `#`, digits for any digits. */
interface Charted {
  readonly pk: string;
  readonly sk: string;
}

const quoted = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);

const [, chart = ''] = readFileSync('docs/design/store.md', 'utf8').split('## Key chart');
const charted: readonly Charted[] = [...chart.matchAll(/^\| (`[^|]*) \| ([^|]*) \|/gm)].flatMap(
  ([, pks = '', sks = '']) => quoted(pks).flatMap((pk) => quoted(sks).map((sk) => ({ pk, sk }))),
);

const pattern = (text: string): RegExp => {
  const part = (name: string): string => (/^([A-Z]+|n|<.*>)$/.test(name) ? '[^#]+' : name.replace(/^\d+$/, '\\d+'));
  return new RegExp(`^${text.split('#').map(part).join('#')}$`);
};

const fits = (key: Key, row: Charted): boolean => pattern(row.pk).test(key.pk) && pattern(row.sk).test(key.sk);

describe('the key chart of docs/design/store.md', () => {
  it('has a row for every key that lib/store/keys.ts makes', () => {
    expect(made.filter((key) => !charted.some((row) => fits(key, row)))).toEqual([]);
  });

  it('has no row for a key that it does not make', () => {
    expect(charted.filter((row) => !made.some((key) => fits(key, row)))).toEqual([]);
  });

  it('is compared key by key', () => {
    expect(Object.keys(MADE).sort()).toEqual(Object.keys(keys).sort());
    expect(charted.length).toBeGreaterThan(40);
  });
});
