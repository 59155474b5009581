import { posix } from 'node:path';

/**
 * The rooms of lib that each room may import, besides the modules of `lib` itself and its own; all others are refused.
 */
const ROOMS = {
  access: ['store'],
  account: ['access', 'http', 'macros', 'resource', 'store'], // macros: for those of a user
  console: ['http'],
  deliver: ['access', 'console', 'history', 'http', 'insights', 'resource', 'store'], // console: its model, for the same texts and numbers
  history: ['store'],
  http: ['access', 'store'],
  import: ['access', 'account', 'history', 'insights', 'macros', 'resource', 'store', 'topics'], // the fields of their resources
  insights: ['access', 'history', 'http', 'macros', 'resource', 'store'], // macros: for their names
  macros: ['access', 'http', 'resource', 'store'],
  resource: ['access', 'http', 'store'],
  live: ['access', 'history', 'http', 'import', 'store', 'uploads'], // uploads: to remove a source in the background
  store: [],
  topics: ['access', 'http', 'resource', 'store'],
  warehouse: ['access', 'history', 'insights', 'store'],
  uploads: ['access', 'history', 'http', 'import', 'store'], // history: to undo an import
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The same for the rooms within history. `cases` and `segments` are pure: they do not import the store. */
const HISTORY_ROOMS = {
  cases: [],
  segments: ['cases'],
  storage: ['cases', 'segments'],
  compaction: ['cases', 'segments', 'storage'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * The rooms of infra that each room may import, besides the modules of `infra` itself and its own: a demo site needs a
 * table, a local start the demo site, and the commands all of these.
 */
const INFRA_ROOMS = {
  local: ['console', 'demo', 'local/server', 'local/table', 'local/threads', 'local/uploads'],
  'local/server': ['local/threads'],
  'local/table': ['local'],
  'local/threads': ['local/table', 'local/uploads'],
  'local/uploads': ['local/table'],
  cli: ['demo', 'local', 'local/table', 'local/threads', 'local/uploads'],
  console: [],
  cookbook: ['cli', 'demo', 'local/table'],
  demo: ['local/table'],
  directions: [],
  openapi: [],
  stack: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const STORELESS: readonly string[] = ['cases', 'segments'];

/** Packages that only some rooms may import, as globs of files. */
const PACKAGES = [
  { group: ['@aws-sdk/**'], only: ['lib/store', 'functions', 'infra'] },
  { group: ['@middy/**'], only: ['lib/http'] },
  { group: ['aws-cdk-lib', 'aws-cdk-lib/**', 'constructs', 'cdk-nag'], only: ['infra'] },
  { group: ['lmdb'], only: ['infra/local/table'] },
  { group: ['nodemailer', 'nodemailer/**'], only: ['lib/deliver'] },
] as const;

/** Files, and globs of what they must not import. If several apply to a file, the last one counts. */
interface Direction {
  readonly includes: readonly string[];
  readonly refused: readonly string[];
}

/** All directions of the project. */
function directions(): Direction[] {
  return [
    { includes: ['infra/*.ts'], refused: packagesBut('infra') },
    ...Object.entries(INFRA_ROOMS).map(([room, may]: [string, readonly string[]]) => ({
      includes: [room === 'local' ? 'infra/local/*.ts' : `infra/${room}/**`],
      refused: [
        ...packagesBut('infra', `infra/${room}`),
        ...Object.keys(INFRA_ROOMS)
          .filter((other) => other !== room && !may.includes(other))
          .flatMap((other) => pathsTo(other, room)),
      ],
    })),
    { includes: ['functions/**'], refused: [...packagesBut('functions'), '**/infra/**'] },
    { includes: ['lib/*.ts', '!lib/routes.ts'], refused: ofLib('lib', ['access', 'store']) },
    ...Object.entries(ROOMS).map(([room, may]) => ({
      includes: [`lib/${room}/**`],
      refused: ofLib(`lib/${room}`, [...may, room]),
    })),
    // Code for browsers uses only the public API; the console has a folder `import` of its own.
    {
      includes: ['lib/console/app/**', 'lib/console/model/**'],
      refused: ['node:*', 'zod', ...ofLib('lib/console', ['console', 'import'])],
    },
    ...Object.entries(HISTORY_ROOMS).map(([room, may]: [string, readonly string[]]) => ({
      includes: [`lib/history/${room}/**`],
      refused: [
        ...ofLib('lib/history', STORELESS.includes(room) ? ['history'] : ['history', 'store']),
        ...foldersBut(HISTORY_ROOMS, [...may, room]),
      ],
    })),
  ];
}

const ofLib = (room: string, may: readonly string[]): string[] => [
  ...packagesBut(room),
  '**/infra/**',
  '**/functions/**',
  ...foldersBut(ROOMS, may),
];

/** The paths by which files of a room of infra, or of a folder in it, would import another room. */
function pathsTo(room: string, from: string): string[] {
  const files = room === 'local' ? '*.ts' : '**'; // `local` has rooms of its own
  return (from.includes('/') ? [from] : [from, `${from}/folder`]).map((folder) => {
    const path = posix.relative(folder, room);
    return `${path.startsWith('.') ? '' : './'}${path}/${files}`;
  });
}

const packagesBut = (...rooms: readonly string[]): string[] =>
  PACKAGES.filter(({ only }) => !only.some((room) => rooms.includes(room))).flatMap(({ group }) => group);

const foldersBut = (rooms: Readonly<Record<string, unknown>>, may: readonly string[]): string[] =>
  Object.keys(rooms)
    .filter((room) => !may.includes(room))
    .map((room) => `**/${room}/**`);

/** The overrides of biome.json that enforce the directions. */
export const overrides = () =>
  directions().map(({ includes, refused }) => {
    const patterns = [{ group: refused, message: 'Directions between rooms: infra/directions/rooms.ts.' }];
    const options = { paths: { 'zod/v3': 'use zod' }, patterns };
    return { includes, linter: { rules: { style: { noRestrictedImports: { level: 'error', options } } } } };
  });

/** Whether an override of biome.json is one of these. */
export const isDirection = (override: unknown): boolean => JSON.stringify(override).includes('"noRestrictedImports"');
