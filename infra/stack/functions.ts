import { Duration, Size } from 'aws-cdk-lib';
import type { FunctionName } from './permissions.ts';

const CORE = 1769; // MB of memory with which a function gets one core

/** The resources of a function. */
export interface Sizing {
  readonly memory: number; // MB
  readonly timeout: Duration;
  readonly disk?: Size; // absent: 512 MB
  /** Calls at once that are reserved for it in stages that are kept, and never more; by name: a context value. */
  readonly atOnce: number | 'insightsConcurrency' | 'ingestConcurrency' | 'importConcurrency';
  readonly about: string;
}

const answering = Duration.seconds(28); // API Gateway stops waiting after 29 s; the insights lease is 30 s (lib/settings.ts)

export const FUNCTIONS: Readonly<Record<FunctionName, Sizing>> = {
  // One core for each function that checks passwords: scrypt takes 0.4 s of a core and 128 MiB.
  topics: {
    memory: CORE,
    timeout: answering,
    atOnce: 100,
    about: 'Topics, brands and translations; health, OpenAPI, unknown paths',
  },
  macros: { memory: CORE, timeout: answering, atOnce: 50, about: 'Macros and their actions' },
  // Two cores: one inflates segments while the other scans.
  insights: {
    memory: 2 * CORE,
    timeout: answering,
    atOnce: 'insightsConcurrency',
    about: 'Insights meta and reports',
  },
  // It only serves files from memory.
  console: { memory: 512, timeout: Duration.seconds(10), atOnce: 20, about: 'The console and the API reference' },
  // The queue calls it so many times at once at most; reserved, so that requests never leave it none.
  ingest: {
    memory: CORE,
    timeout: Duration.seconds(30),
    atOnce: 'ingestConcurrency',
    about: 'Support history from the queue',
  },
  imports: { memory: CORE, timeout: answering, atOnce: 20, about: 'Files of support history, as they stand' },
  // The longest timeout of Lambda; a step ends earlier (infra/stack/context.ts). Two cores: one runs the import, the
  // other V8's garbage collector.
  load: {
    memory: 2 * CORE,
    timeout: Duration.minutes(15),
    disk: Size.gibibytes(10), // for the file and its sorted parts
    atOnce: 'importConcurrency',
    about: 'Steps of imports',
  },
  // The timeout is shorter than the compactor's lease (lib/history/compact.ts), so that two never fold at the same
  // time.
  compact: {
    memory: CORE,
    timeout: Duration.minutes(9),
    atOnce: 2, // the schedule's run, and one by hand beside it
    about: 'Folds small segments into large ones',
  },
  // One call at a time, as its messages have one group. Two cores: one exports, the other runs V8's garbage collector.
  warehouse: {
    memory: 2 * CORE,
    timeout: Duration.minutes(15),
    disk: Size.gibibytes(10), // for the files of a site's events
    atOnce: 2, // and one by hand
    about: 'Exports to the warehouse',
  },
  // As for insights: it computes reports. The lease of a delivery lets only one run send a mail.
  deliver: {
    memory: 2 * CORE,
    timeout: Duration.minutes(9),
    atOnce: 2, // the schedule's run, and one that it repeats
    about: 'Mails that are due',
  },
};
