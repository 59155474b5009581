import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type Deployment, isDisposable } from './context.ts';
import type { LiveFunction } from './function.ts';
import { FUNCTIONS } from './functions.ts';

export interface Queues {
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

const TRIES = 5; // receives after which a message that never got through goes to the dead letters
const LARGEST = 256 * 1024; // bytes of a message with its attributes
const BATCH = 10; // messages of a FIFO queue that one call may bring

/**
 * The queue of live records: message group = case. What is wrong with a record never changes, so the
 * function itself sends it to the dead letters with its reason; what fails for a passing reason comes again, `TRIES` times.
 */
export function createQueues(scope: Construct, deployment: Deployment, { code: ingest, live }: LiveFunction): Queues {
  const common = {
    fifo: true,
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    removalPolicy: isDisposable(deployment) ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN, // records may wait in them
  } as const;
  const deadLetters = new Queue(scope, 'DeadLetters', {
    ...common,
    retentionPeriod: Duration.days(14),
    maxMessageSizeBytes: LARGEST,
  });
  const queue = new Queue(scope, 'Records', {
    ...common,
    // By content, equal messages of two sites, a record sent again, or a name that goes A, B, A within five minutes would be lost.
    contentBasedDeduplication: false,
    maxMessageSizeBytes: LARGEST - 4 * 1024, // so that there is room for the reason among the dead letters
    retentionPeriod: Duration.days(14),
    visibilityTimeout: Duration.seconds(6 * FUNCTIONS.ingest.timeout.toSeconds()), // as AWS advises
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: TRIES },
  });
  live.addEventSource(
    new SqsEventSource(queue, {
      batchSize: BATCH,
      reportBatchItemFailures: true,
      maxConcurrency: deployment.ingestConcurrency, // so that a burst of records leaves room for requests
    }),
  );
  deadLetters.grantSendMessages(ingest);
  ingest.addEnvironment('DEAD_LETTER_URL', deadLetters.queueUrl);
  return { queue, deadLetters };
}
