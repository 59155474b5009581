import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Deployment } from './context.ts';
import type { LiveFunction } from './function.ts';
import { type EachFunction, FUNCTIONS } from './functions.ts';
import { createWorkQueue, GROUPED } from './queue.ts';

const EVERY = Duration.minutes(1);
const AT_ONCE = 8; // pulls
const TRIES = 3; // of a message whose function dies each time

/** What the queue of pulls could not have done. */
export interface Pulls {
  readonly deadPulls: Queue;
}

/**
 * Has what is due at help desks pulled: a schedule looks for it each minute, and doorbells and changes of connections send a message at
 * once. Each connection is a message group: its pulls follow one another. Only on an emulator may help desks be on this machine.
 */
export function schedulePulls(
  scope: Construct,
  deployment: Deployment,
  { connections, pulls }: EachFunction<LiveFunction>,
): Pulls {
  const { queue, dead: deadPulls } = createWorkQueue(scope, deployment, {
    id: 'DuePulls',
    dead: 'DeadPulls',
    timeout: FUNCTIONS.pulls.timeout,
    tries: TRIES,
    ...GROUPED,
    contentBasedDeduplication: true, // a message says by what it is one
  });
  pulls.live.addEventSource(new SqsEventSource(queue, { batchSize: 1, maxConcurrency: AT_ONCE }));
  for (const { code } of [connections, pulls]) {
    code.addEnvironment('PULL_URL', queue.queueUrl);
    code.addEnvironment('CONNECT_LOOPBACK', deployment.emulator === 'on' ? '1' : '0');
    queue.grantSendMessages(code);
  }
  // The next minute finds what a run did not.
  pulls.alias.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: EVERY });
  new Rule(scope, 'PullSchedule', {
    description: 'Looks for what is due at help desks',
    schedule: Schedule.rate(EVERY),
    targets: [new LambdaFunction(pulls.live, { retryAttempts: 0, maxEventAge: EVERY })],
  });
  return { deadPulls };
}
