import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Operation, type Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { NAMESPACE } from '../../lib/metrics.ts';
import type { Deployment } from './context.ts';
import type { Queues } from './queue.ts';

export interface Watched {
  readonly api: RestApi;
  readonly table: Table;
  readonly queues: Queues;
  readonly functions: Readonly<Record<string, IFunction>>;
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

/** Every alarm (docs/operations.md says what to do about each). */
function watches({ api, table, queues, functions }: Watched, { stage }: Deployment): Watch[] {
  const sum = { period: MINUTES, statistic: 'Sum' };
  const all = Object.values(functions);
  const added = (metrics: readonly IMetric[]): IMetric =>
    new MathExpression({
      expression: metrics.map((_, place) => `m${place}`).join(' + '),
      usingMetrics: Object.fromEntries(metrics.map((metric, place) => [`m${place}`, metric])),
      period: MINUTES,
    });
  return [
    {
      id: 'ServerErrors',
      meaning: 'More than 1 % of the requests end in a 5xx',
      metric: new MathExpression({
        expression: '100 * errors / MAX([requests, 1])',
        usingMetrics: { errors: api.metricServerError(sum), requests: api.metricCount(sum) },
        period: MINUTES,
      }),
      above: 1,
      periods: 2,
    },
    {
      id: 'SlowRequests',
      meaning: 'One request in a hundred takes longer than 5 s',
      metric: api.metricLatency({ period: MINUTES, statistic: 'p99' }),
      above: 5_000, // ms
      periods: 3,
    },
    {
      id: 'FunctionThrottles',
      meaning: 'Lambda turns calls away: the account has no concurrency left',
      metric: added(all.map((each) => each.metricThrottles(sum))),
      above: 0,
      periods: 2,
    },
    {
      id: 'TableThrottles',
      meaning: 'DynamoDB turns reads or writes away',
      metric: table.metricThrottledRequestsForOperations({
        operations: [
          Operation.GET_ITEM,
          Operation.BATCH_GET_ITEM,
          Operation.QUERY,
          Operation.PUT_ITEM,
          Operation.TRANSACT_WRITE_ITEMS,
        ],
        period: MINUTES,
      }),
      above: 0,
      periods: 2,
    },
    {
      id: 'BackgroundErrors',
      meaning: 'Taking in records or folding segments fails',
      metric: added([functions.ingest, functions.compact].flatMap((each) => (each ? [each.metricErrors(sum)] : []))),
      above: 0,
      periods: 2,
    },
    {
      id: 'DeadLetters',
      meaning: 'Records could not be taken in and wait in the dead-letter queue',
      metric: queues.deadLetters.metricApproximateNumberOfMessagesVisible({ period: MINUTES, statistic: 'Maximum' }),
      above: 0,
      periods: 1,
    },
    {
      id: 'QueueAge',
      meaning: 'The oldest record has been waiting for more than a minute: reports are not fresh',
      metric: queues.queue.metricApproximateAgeOfOldestMessage({ period: MINUTES, statistic: 'Maximum' }),
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
        period: MINUTES,
        statistic: 'Maximum',
      }),
      above: 0,
      periods: 6,
    },
  ];
}

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
