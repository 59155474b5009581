import { Duration } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Deployment } from './context.ts';
import type { LiveFunction } from './function.ts';
import { type EachFunction, FUNCTIONS } from './functions.ts';
import { keeping } from './keeping.ts';

export interface Queues {
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

const TRIES = 5; // receives of a message that always fails before it goes to the dead letters
const LARGEST = 256 * 1024; // bytes of a message, attributes included
const BATCH = 10; // messages in one call, the most of a FIFO queue

/** A queue with groups in which they do not hold one another up: 300 calls a second of each group, not of all together. */
export const GROUPED = {
  fifo: true,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
} as const;

/**
 * The queue of live records; the message group is the case. A bad record stays bad, so the function itself sends it to
 * the dead letters with a reason; after a transient failure SQS delivers a record again, `TRIES` times.
 */
export function createQueues(
  scope: Construct,
  deployment: Deployment,
  { ingest: { code: ingest, live } }: EachFunction<LiveFunction>,
): Queues {
  const common = {
    ...GROUPED,
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    removalPolicy: keeping(deployment), // records may wait in them
  } as const;
  const deadLetters = new Queue(scope, 'DeadLetters', {
    ...common,
    retentionPeriod: Duration.days(14),
    maxMessageSizeBytes: LARGEST,
  });
  const queue = new Queue(scope, 'Records', {
    ...common,
    // Deduplication by content would lose equal messages of two sites, a record that is sent again, and a name that
    // goes A, B, A within five minutes.
    contentBasedDeduplication: false,
    maxMessageSizeBytes: LARGEST - 4 * 1024, // leaves room for the reason in the dead letters
    retentionPeriod: Duration.days(14),
    visibilityTimeout: Duration.seconds(6 * FUNCTIONS.ingest.timeout.toSeconds()), // as AWS advises
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: TRIES },
  });
  live.addEventSource(
    new SqsEventSource(queue, {
      batchSize: BATCH,
      reportBatchItemFailures: true,
      maxConcurrency: deployment.ingestConcurrency, // a burst of records must leave capacity for requests
    }),
  );
  deadLetters.grantSendMessages(ingest);
  ingest.addEnvironment('DEAD_LETTER_URL', deadLetters.queueUrl);
  return { queue, deadLetters };
}

/** A queue of work for a function, and what that could not do. */
export interface WorkQueue {
  readonly queue: Queue;
  readonly dead: Queue;
}

/**
 * Creates a queue whose messages say what work is due, with the queue `dead` for those whose function failed each of
 * `tries` times. A function may set a shorter visibility timeout itself (functions/hidden.ts).
 */
export function createWorkQueue(
  scope: Construct,
  deployment: Deployment,
  { id, dead: deadId, timeout, tries, ...kind }: WorkOptions,
): WorkQueue {
  const common = {
    ...kind,
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    removalPolicy: keeping(deployment),
    retentionPeriod: Duration.days(4), // shorter than the retention of files
  } as const;
  const dead = new Queue(scope, deadId, common);
  const queue = new Queue(scope, id, {
    ...common,
    visibilityTimeout: timeout.plus(Duration.minutes(1)),
    deadLetterQueue: { queue: dead, maxReceiveCount: tries },
  });
  return { queue, dead };
}

/** What a queue of work is for. */
interface WorkOptions
  extends Pick<QueueProps, 'fifo' | 'contentBasedDeduplication' | 'deduplicationScope' | 'fifoThroughputLimit'> {
  readonly id: string;
  readonly dead: string; // id
  readonly timeout: Duration; // of the function
  readonly tries: number;
}
