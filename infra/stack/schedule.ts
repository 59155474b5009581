import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

const EVERY = Duration.minutes(5);

/** Runs the compactor regularly. A schedule fires at least once; the compactor's lease lets only one run at a time. */
export function scheduleCompaction(scope: Construct, compact: IFunction): Rule {
  return new Rule(scope, 'Compaction', {
    description: 'Folds small segments of history into large ones',
    schedule: Schedule.rate(EVERY),
    targets: [new LambdaFunction(compact, { retryAttempts: 2, maxEventAge: EVERY })],
  });
}
