import { Duration, Size } from 'aws-cdk-lib';
import type { FunctionName } from './permissions.ts';

const CORE = 1769; // MB of function memory that come with one core

/** What each function is given. */
export interface Sizing {
  readonly memory: number; // MB
  readonly timeout: Duration;
  readonly disk?: Size; // absent: 512 MB
  readonly about: string;
}

const answering = Duration.seconds(28); // API Gateway stops waiting after 29 s; the insights lease is 30 s (lib/settings.ts)

export const FUNCTIONS: Readonly<Record<FunctionName, Sizing>> = {
  // A core each for those who check passwords: scrypt takes 0.4 s of one and 128 MiB.
  topics: {
    memory: CORE,
    timeout: answering,
    about: 'Topics, brands and translations; health, OpenAPI, unknown paths',
  },
  macros: { memory: CORE, timeout: answering, about: 'Macros and their actions' },
  // Two cores: one inflates segments while the other scans.
  insights: { memory: 2 * CORE, timeout: answering, about: 'Insights meta and reports' },
  // Nothing but files that it holds in memory.
  console: { memory: 512, timeout: Duration.seconds(10), about: 'The console and the API reference' },
  ingest: { memory: CORE, timeout: Duration.seconds(30), about: 'Support history from the queue' },
  imports: { memory: CORE, timeout: answering, about: 'Files of support history, as they stand' },
  // As long as a function may take; a step ends before (infra/stack/context.ts). Two cores: one clears up after the other.
  load: {
    memory: 2 * CORE,
    timeout: Duration.minutes(15),
    disk: Size.gibibytes(10), // the file, and what is sorted of it
    about: 'Steps of imports',
  },
  // Its time ends before the compactor's lease does (lib/history/compact.ts), so that two never fold at once.
  compact: { memory: CORE, timeout: Duration.minutes(9), about: 'Folds small segments into large ones' },
};
