/** Every key of the table; docs/design/store.md has the chart. `site` is a site's name. */

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** A collection's partition (see collection.ts). */
export interface Partition {
  readonly pk: string;
}

/** The kinds of reference records, each with its own collection. */
export const REFERENCE_KINDS = [
  'agent',
  'group',
  'label',
  'channel',
  'company',
  'brand',
  'article',
  'custom_field',
  'calendar',
  'sla_policy',
] as const;

export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

/** What is kept of a site's connection to a help desk: its settings, how far it is, who pulls, and what waits. */
export type ConnectionPart = 'settings' | 'ids' | 'progress' | 'lease' | 'wish' | 'doorbell' | 'rung' | 'check';

const LOCK = '#lock'; // ends the partitions of locks, and no others

/** Whether a partition holds a lock: worth nothing once all processes that use the table have ended. */
export const isLock = (pk: string): boolean => pk.endsWith(LOCK);

export const keys = {
  defaultSite: (): Key => ({ pk: 'deployment', sk: 'default' }),
  deployment: (): Partition => ({ pk: 'deployment' }),
  siteEntry: (site: string): Key => ({ pk: 'deployment', sk: `site#${site}` }),
  host: (host: string): Key => ({ pk: `host#${host}`, sk: 'host' }),
  site: (site: string): Key => ({ pk: `site#${site}#settings`, sk: 'site' }),
  warehouse: (site?: string): Key => ({ pk: `warehouse${LOCK}`, sk: site === undefined ? 'lease' : `site#${site}` }),
  lock: (site: string): Key => ({ pk: `site#${site}${LOCK}`, sk: 'lock' }),
  /** The query of a site that an engine may be running. */
  engineQuery: (site: string): Key => ({ pk: `site#${site}${LOCK}`, sk: 'query' }),
  /** What queries of all sites read on a day of UTC. */
  engineDay: (day: string): Key => ({ pk: `engine${LOCK}`, sk: day }),
  users: (site: string): Partition => ({ pk: `site#${site}#user` }),
  user: (site: string, login: string): Key => ({ pk: `site#${site}#user`, sk: login }),
  tokens: (site: string): Partition => ({ pk: `site#${site}#token` }),
  token: (site: string, hash: string): Key => ({ pk: `site#${site}#token`, sk: hash }),
  guesses: (site: string, counter: string, hash: string): Key => ({
    pk: `site#${site}#guess`,
    sk: `${counter}#${hash}`,
  }),
  guessCount: (site: string, counter: string, hash: string, window: number): Key => ({
    pk: `site#${site}#guess`,
    sk: `${counter}#${hash}#${window}`,
  }),
  repeats: (site: string, hash: string): Key => ({ pk: `site#${site}#repeat`, sk: hash }),
  audit: (site: string): Partition => ({ pk: `site#${site}#audit` }),
  auditEntry: (site: string, at: string, id: string): Key => ({ pk: `site#${site}#audit`, sk: `${at}#${id}` }),
  rate: (site: string, hash: string): Key => ({ pk: `site#${site}#rate`, sk: hash }),

  ids: (site: string): Partition => ({ pk: `site#${site}#ids` }),
  topics: (site: string): Partition => ({ pk: `site#${site}#topics` }),
  macros: (site: string): Partition => ({ pk: `site#${site}#macros` }),
  actions: (site: string, macro: number): Partition => ({ pk: `site#${site}#macro#${macro}` }),
  reference: (site: string, kind: ReferenceKind): Partition => ({ pk: `site#${site}#ref#${kind}` }),
  articleText: (site: string): Partition => ({ pk: `site#${site}#text` }),
  savedReports: (site: string): Partition => ({ pk: `site#${site}#saved-reports` }),
  boards: (site: string): Partition => ({ pk: `site#${site}#boards` }),
  subscriptions: (site: string): Partition => ({ pk: `site#${site}#subscriptions` }),
  alerts: (site: string): Partition => ({ pk: `site#${site}#alerts` }),
  boardLinks: (site: string): Partition => ({ pk: `site#${site}#board-links` }),
  linkViews: (site: string, id: number): Key => ({ pk: `site#${site}#shared`, sk: `views#${id}` }),
  sharedBoards: (site: string): Partition => ({ pk: `site#${site}#shared` }),
  sharedBoard: (site: string, board: number): Key => ({ pk: `site#${site}#shared`, sk: `board#${board}` }),
  sharedTurn: (site: string, board: number): Key => ({ pk: `site#${site}#shared`, sk: `turn#${board}` }),
  deliveries: (site: string): Partition => ({ pk: `site#${site}#deliveries` }),
  delivery: (site: string, member: string): Key => ({ pk: `site#${site}#deliveries`, sk: member }),
  endedAddresses: (site: string): Partition => ({ pk: `site#${site}#ended` }),
  endedAddress: (site: string, login: string): Key => ({ pk: `site#${site}#ended`, sk: login }),

  uploads: (site: string): Partition => ({ pk: `site#${site}#uploads` }),
  upload: (site: string, id: number): Key => ({
    pk: `site#${site}#uploads`,
    sk: `upload#${String(id).padStart(10, '0')}`,
  }),
  uploadTurn: (site: string): Key => ({ pk: `site#${site}#uploads`, sk: 'turn' }),

  connections: (site: string): Partition => ({ pk: `site#${site}#connections` }),
  connection: (site: string, part: ConnectionPart): Key => ({ pk: `site#${site}#connections`, sk: part }),
  rings: (site: string): Partition => ({ pk: `site#${site}#rings` }),
  ring: (site: string, caseId: string): Key => ({ pk: `site#${site}#rings`, sk: `case#${caseId}` }),
  ringMinute: (site: string, minute: number): Key => ({ pk: `site#${site}#rings`, sk: `minute#${minute}` }),

  head: ({ pk }: Partition): Key => ({ pk, sk: 'head' }),
  order: ({ pk }: Partition): Key => ({ pk, sk: 'order' }),

  history: (site: string): Partition => ({ pk: `site#${site}#history` }),
  manifest: (site: string): Key => ({ pk: `site#${site}#history`, sk: 'manifest' }),
  directory: (site: string, shard: number): Key => ({ pk: `site#${site}#history`, sk: `directory#${pair(shard)}` }),
  blobIds: (site: string): Key => ({ pk: `site#${site}#history`, sk: 'blob-ids' }),
  claim: (site: string, first: number): Key => ({ pk: `site#${site}#history`, sk: `claim#${first}` }),
  garbage: (site: string, version: number): Key => ({ pk: `site#${site}#history`, sk: `garbage#${version}` }),
  source: (site: string, name: string): Key => ({ pk: `site#${site}#history`, sk: `source#${name}` }),
  erasures: (site: string): Key => ({ pk: `site#${site}#history`, sk: 'erased' }),
  erased: (site: string, hash: string): Key => ({ pk: `site#${site}#history`, sk: `erased#${hash}` }),
  known: (site: string, source: string): Key => ({ pk: `site#${site}#history`, sk: `known#${source}` }),
  knownPart: (site: string, source: string, part: number): Key => ({
    pk: `site#${site}#history`,
    sk: `known-part#${source}#${part}`,
  }),
  changes: (site: string, source: string, importId: string, blob: number): Key => ({
    pk: `site#${site}#history`,
    sk: `changes#${encodeURIComponent(source)}#${importId}#${String(blob).padStart(12, '0')}`,
  }),
  lease: (site: string): Key => ({ pk: `site#${site}#history`, sk: 'lease' }),
  leaf: (site: string, id: number, part: number): Key => ({ pk: `site#${site}#ledger#${id}`, sk: `leaf#${part}` }),
  changeNotes: (site: string, id: number, part: number): Key => ({
    pk: `site#${site}#changes#${id}`,
    sk: `changes#${part}`,
  }),
  segment: (site: string, id: number, part: number): Key => ({
    pk: `site#${site}#segment#${id}`,
    sk: `segment#${part}`,
  }),
  manifestPart: (site: string, id: number, part: number): Key => ({
    pk: `site#${site}#segment#${id}`,
    sk: `manifest#${part}`,
  }),
  tail: (site: string, part: number): Partition => ({ pk: `site#${site}#tail#${part}` }),
  pending: (site: string, part: number, digest: string): Key => ({
    pk: `site#${site}#tail#${part}`,
    sk: `case#${digest}`,
  }),
  /** Sorts after all pending items, so that it is read after them. */
  folded: (site: string, part: number): Key => ({ pk: `site#${site}#tail#${part}`, sk: '~folded' }),
} as const;

const pair = (number: number): string => String(number).padStart(2, '0');

/** Sort keys of members inside their collection's partition. */
export const members = {
  topic: (id: number): string => `topic#${id}`,
  translation: (topic: number, locale: string): string => `translation#${topic}#${locale}`,
  macro: (id: number): string => `macro#${id}`,
  action: (id: number): string => `action#${id}`,
  item: (id: number): string => `item#${id}`,
  savedReport: (id: number): string => `report#${id}`,
  board: (id: number): string => `board#${id}`,
  boardLink: (id: number): string => `link#${id}`,
  subscription: (id: number): string => `subscription#${id}`,
  alert: (id: number): string => `alert#${id}`,
  articleText: (id: number): string => `article#${id}`,
  translatedText: (article: number, locale: string): string => `translation#${article}#${locale}`,
  channelTexts: (article: number, locale?: string): string =>
    `channels#${article}${locale === undefined ? '' : `#${locale}`}`,
} as const;
