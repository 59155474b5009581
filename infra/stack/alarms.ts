import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Alarm, ComparisonOperator, type IMetric, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { NAMESPACE } from '../../lib/metrics.ts';
import type { Deployment } from './context.ts';
import type { FunctionName } from './permissions.ts';
import type { Queues } from './queue.ts';
import type { ServiceTable } from './table.ts';

export interface Watched {
  readonly api: RestApi;
  readonly table: ServiceTable;
  readonly queues: Queues;
  readonly functions: Readonly<Record<FunctionName, IFunction>>;
}

/** An alarm: it goes off when the metric is above the threshold for `periods` periods running. */
interface Watch {
  readonly id: string;
  readonly meaning: string;
  readonly metric: IMetric;
  readonly above: number;
  readonly periods: number;
}

const MINUTES = Duration.minutes(5);

/**
 * Every alarm (docs/operations.md says what to do about each). Each looks at one metric as it is, without metric math,
 * so that its history can be read off the metric's own graph.
 */
function watches({ api, table, queues, functions }: Watched, { stage }: Deployment): Watch[] {
  const sum = { period: MINUTES, statistic: 'Sum' };
  const highest = { period: MINUTES, statistic: 'Maximum' };
  return [
    {
      id: 'ServerErrors',
      meaning: 'More than 1 % of the requests end in a 5xx',
      metric: api.metricServerError({ period: MINUTES, statistic: 'Average' }), // of 0 and 1 a request: the rate
      above: 0.01,
      periods: 2,
    },
    {
      id: 'SlowRequests',
      meaning: 'One request in a hundred takes longer than 5 s',
      metric: api.metricLatency({ period: MINUTES, statistic: 'p99' }),
      above: 5_000, // ms
      periods: 3,
    },
    ...Object.entries(functions).map(([name, each]) => ({
      id: `${capital(name)}Throttles`,
      meaning: `Lambda turns calls of ${name} away: no concurrency is left`,
      metric: each.metricThrottles(sum),
      above: 0,
      periods: 2,
    })),
    ...(['ingest', 'compact'] as const).map((name) => ({
      id: `${capital(name)}Errors`,
      meaning: `The function ${name} fails`,
      metric: functions[name].metricErrors(sum),
      above: 0,
      periods: 2,
    })),
    ...(['Read', 'Write'] as const).map((kind) => ({
      id: `Table${kind}Throttles`,
      meaning: `DynamoDB turns ${kind.toLowerCase()}s away`,
      metric: table.metric(`${kind}ThrottleEvents`, sum),
      above: 0,
      periods: 2,
    })),
    {
      id: 'DeadLetters',
      meaning: 'Records could not be taken in and wait in the dead-letter queue',
      metric: queues.deadLetters.metricApproximateNumberOfMessagesVisible(highest),
      above: 0,
      periods: 1,
    },
    {
      id: 'QueueAge',
      meaning: 'The oldest record has been waiting for more than a minute: reports are not fresh',
      metric: queues.queue.metricApproximateAgeOfOldestMessage(highest),
      above: 60, // s
      periods: 1,
    },
    {
      id: 'SegmentsOverBound',
      meaning: 'Compaction does not keep up: a site has more live segments than its bound',
      metric: new Metric({
        namespace: NAMESPACE,
        metricName: 'segmentsOverBound',
        dimensionsMap: { stage },
        ...highest,
      }),
      above: 0,
      periods: 6,
    },
  ];
}

const capital = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** The alarms, all of which tell one topic; with `alarmEmail` in the context somebody hears of it. */
export function createAlarms(scope: Construct, watched: Watched, deployment: Deployment): Alarm[] {
  const topic = new Topic(scope, 'Alarms', { displayName: `Support service (${deployment.stage})`, enforceSSL: true });
  if (deployment.alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(deployment.alarmEmail));
  return watches(watched, deployment).map(({ id, meaning, metric, above, periods }) => {
    const alarm = new Alarm(scope, `${id}Alarm`, {
      alarmDescription: meaning,
      metric,
      threshold: above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: periods,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(topic));
    return alarm;
  });
}
