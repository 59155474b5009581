/** What connecting a help desk asks a person for, and where the vendor has it. */
export interface DeskCard {
  readonly system: string; // the API's
  readonly title: string;
  readonly url: string; // as an example
  readonly token: string; // where its token is made
  readonly login?: string; // whose login it takes; absent: none
  readonly account?: string; // where the number of the account stands; absent: it has none
  readonly bell: string; // where its webhook is set up
  readonly makesSecret?: true; // its webhook takes a secret that the service makes
  readonly lacks: string; // what it cannot tell
}

/** The help desks that the page offers, in its order. */
export const DESKS: readonly DeskCard[] = [
  {
    system: 'zendesk',
    title: 'Zendesk',
    url: 'https://acme.zendesk.com',
    token: 'Admin Center, Apps and integrations, APIs, API tokens. The token belongs to an administrator.',
    login: 'The e-mail address of the administrator that the token is used by.',
    bell: 'Admin Center, Apps and integrations, Webhooks: POST, JSON, subscribed to ticket events. Give its signing secret here.',
    lacks: 'Everything that its audits have is told.',
  },
  {
    system: 'intercom',
    title: 'Intercom',
    url: 'https://api.intercom.io',
    token:
      'Developer Hub, your app, Authentication: the access token. Address in Europe or Australia: api.eu., api.au.',
    bell: 'Developer Hub, your app, Webhooks: this address, with the topics of conversations. Give the client secret of the app here.',
    lacks: 'Earlier priorities and tags are not told: those of now count from the creation on.',
  },
  {
    system: 'freshdesk',
    title: 'Freshdesk',
    url: 'https://acme.freshdesk.com',
    token: 'Your picture, Profile settings: the API key of an agent who sees all tickets.',
    bell: 'Admin, Automations, Ticket updates: trigger a webhook to this address, with ticket_id in its body and the header X-Doorbell-Secret.',
    makesSecret: true,
    lacks:
      'Not told: of several solves or reopens between two pulls, or before the connection, all but the last; who changed a status; automation. Assignee, group, priority, tags, company and fields are those of now.',
  },
  {
    system: 'chatwoot',
    title: 'Chatwoot',
    url: 'https://app.chatwoot.com',
    token: 'Profile settings of an administrator, Access token.',
    account: 'It stands in the address, after /accounts/.',
    bell: 'Settings, Integrations, Webhooks: this address, with conversations and messages. Give its secret here.',
    lacks:
      'Earlier assignees, teams, priorities and labels are not told. Without the enterprise edition, solves before the connection neither: import chatwoot.sql first.',
  },
  {
    system: 'zammad',
    title: 'Zammad',
    url: 'https://help.acme.example',
    token: 'Your avatar, Profile, Token Access: a token with the permissions ticket.agent and admin.',
    bell: 'Settings, Webhook: this address as the endpoint, with the secret as its HMAC token; then a trigger that calls it.',
    makesSecret: true,
    lacks: 'Its search must know times, which needs Elasticsearch.',
  },
];

/** What a person can do about an error of a connection, by its code. */
export const REMEDIES: Readonly<Record<string, string>> = {
  limited: 'The help desk takes no more calls for now. Nothing is to be done: the next try comes when it said.',
  unreachable: 'Look whether the help desk can be opened. It is tried again, every five minutes at the latest.',
  refused: 'Give a new token, of a person who may read everything.',
  changed: 'The help desk answers in another way than it should. If this stays, tell whoever runs this service.',
  redirected: 'The help desk has moved: disconnect, keep the facts, and connect to its new address.',
  too_large: 'A case or an answer is too large to be read. All others are in.',
  case: 'Some cases cannot be read; all others are in. Each pull tries them again.',
  forbidden: 'The address leads into a network that this service may not call. Ask whoever runs it.',
};

const STATE_WORDS: Readonly<Record<string, string>> = {
  backfilling: 'Fetching earlier cases',
  live: 'Live',
  failing: 'Failing; it goes on trying',
  paused: 'Paused',
  removing: 'Being removed with its facts',
};

/** Why numbers of a connected help desk are late, by its state. */
const LATE_WORDS: Readonly<Record<string, string>> = {
  failing: 'the help desk does not answer as it should; an Administrator sees more in Settings, Help desk',
  paused: 'the connection is paused',
  removing: 'the connection is being removed',
  backfilling: 'earlier cases are still being fetched',
};

const MEASURE_WORDS: Readonly<Record<string, string>> = {
  case: 'the case itself',
  first_reply: 'first reply',
  resolution: 'resolution',
  reopens: 'reopens',
  replies: 'replies by agents',
  parts: 'messages and notes',
};

const REASON_WORDS: Readonly<Record<string, string>> = {
  rounding: 'by rounding alone',
  schedule: 'the help desk measures by office hours',
  merge: 'the case was merged into another',
  agent_created: 'an agent created the case with a message',
  automated: 'a machine answered first',
  not_told: 'the help desk does not tell what this needs',
  before_since: 'the case last changed before the connection begins',
  moving: 'the case changed while it was compared',
};

const wordOf = (words: Readonly<Record<string, string>>, key: string): string => words[key] ?? key;

/** The words of the page *Help desk*, which is loaded when it is opened. */
export const deskWords = {
  title: 'Help desk',
  about: 'Connect the site to its help desk once; from then on its facts come without a file, a few minutes old.',
  connectTo: (title: string) => `Connect ${title}`,
  connect: 'Connect',
  url: 'Address',
  urlHint: (example: string) => `As in ${example}`,
  login: 'Login',
  token: 'Token',
  account: 'Number of the account',
  secret: 'Signing secret of the webhook',
  secretHint: 'Can be given later, too. Without it the webhook is refused; pulls find everything all the same.',
  since: 'Only cases that changed since',
  sinceHint: 'Empty: all cases.',
  stays: 'They stay, and may count twice',
  connected: (title: string) => `${title} is connected. The newest cases come first.`,
  secretOnce: (title: string) => `The secret of the webhook in ${title}. It is shown only now:`,
  state: 'State',
  stateOf: (state: string) => wordOf(STATE_WORDS, state),
  asOf: 'As of',
  nothingYet: 'nothing is in yet',
  address: 'Help desk',
  source: 'Source of its facts',
  progress: 'Earlier cases',
  done: (cases: string) => `all are in (${cases})`,
  soFar: (cases: string, since: string | null) =>
    since === null ? `${cases} so far` : `${cases} so far; complete since ${since}`,
  left: (minutes: number) => (minutes < 90 ? `about ${minutes} min left` : `about ${Math.round(minutes / 60)} h left`),
  tooLong: 'More than a day is left: it is quicker to import a file first, and then to connect with a date.',
  lastPull: 'Last pull',
  running: (cases: string) => `running, ${cases} cases so far`,
  ended: (at: string, cases: string, calls: string) => `${at}, cases: ${cases}, calls: ${calls}`,
  doorbell: 'Address for the webhook',
  rung: (count: string, refused: string) => `rung ${count} times, ${refused} refused`,
  noSecret: 'No secret is set: rings are refused until there is one.',
  next: (at: string) => `Next try: ${at}.`,
  pull: 'Pull now',
  check: 'Check',
  pause: 'Pause',
  resume: 'Resume',
  rotate: 'New token',
  disconnect: 'Disconnect',
  pulling: 'A pull begins.',
  paused: 'Paused: nothing is pulled.',
  resumed: 'It pulls again.',
  checking: 'The check begins.',
  disconnectAsks: (name: string) => `Disconnect ${name}?`,
  facts: 'Its facts',
  keep: 'stay',
  remove: 'are removed',
  disconnected: 'Disconnected.',
  checkTitle: "Compared with the help desk's own figures",
  checkAbout: (cases: string, at: string) => `${cases} cases, ${at}`,
  checkRuns: (cases: string) => `The check runs: ${cases} cases so far.`,
  counts: { equal: 'Equal', repaired: 'Repaired', explained: 'Explained', unexplained: 'Unexplained' },
  case: 'Case',
  what: 'What differs',
  ours: 'Here',
  theirs: 'There',
  why: 'Why',
  unexplained: 'nothing explains it',
  story: 'Story',
  measureOf: (measure: string) => wordOf(MEASURE_WORDS, measure),
  reasonOf: (reason: string) => wordOf(REASON_WORDS, reason),
  fresh: (title: string, at: string) => `${title} as of ${at}`,
  notYet: (title: string) => `${title}: nothing is in yet`,
  late: (why: string) => `late: ${why}`,
  lateOf: (state: string) => LATE_WORDS[state] ?? 'no pull has ended since',
} as const;
