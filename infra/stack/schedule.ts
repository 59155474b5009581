import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Deployment } from './context.ts';
import type { LiveFunction } from './function.ts';
import type { EachFunction } from './functions.ts';
import { keeping } from './keeping.ts';

const EVERY = Duration.minutes(5);

/**
 * Runs the compactor regularly. A schedule fires at least once; the compactor's lease lets only one run at a time. Runs
 * that could not begin, or failed each time, leave a message in the returned queue.
 */
export function scheduleCompaction(
  scope: Construct,
  deployment: Deployment,
  { compact: { alias, live } }: EachFunction<LiveFunction>,
): Queue {
  const deadRuns = new Queue(scope, 'DeadRuns', {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    removalPolicy: keeping(deployment),
  });
  alias.configureAsyncInvoke({ retryAttempts: 2, maxEventAge: EVERY, onFailure: new SqsDestination(deadRuns) });
  new Rule(scope, 'Compaction', {
    description: 'Folds small segments of history into large ones',
    schedule: Schedule.rate(EVERY),
    targets: [new LambdaFunction(live, { retryAttempts: 2, maxEventAge: EVERY, deadLetterQueue: deadRuns })],
  });
  return deadRuns;
}
