import { Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Alarm, ComparisonOperator, type IMetric, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { NAMESPACE } from '../../lib/metrics.ts';
import type { Deployment } from './context.ts';
import type { Files } from './files.ts';
import type { FunctionName } from './permissions.ts';
import type { Queues } from './queue.ts';
import type { ServiceTable } from './table.ts';

export interface Watched {
  readonly api: RestApi;
  readonly accessLogs: LogGroup;
  readonly table: ServiceTable;
  readonly queues: Queues;
  readonly files: Files;
  readonly functions: Readonly<Record<FunctionName, IFunction>>;
}

/**
 * An alarm: goes off if the metric is above `above`, or under `below`, for `periods` periods in a row. Missing data
 * counts as good, except for an alarm with `below`.
 */
interface Watch {
  readonly id: string;
  readonly meaning: string;
  readonly metric: IMetric;
  readonly above?: number;
  readonly below?: number;
  readonly periods: number;
}

const REFUSED = 'refusedSignIns';
const GUESSES = 300; // refused sign-ins in 5 minutes, more than forgotten passwords explain

const MINUTES = Duration.minutes(5);

const SUM = { period: MINUTES, statistic: 'Sum' };
const HIGHEST = { period: MINUTES, statistic: 'Maximum' };

/**
 * Every alarm (docs/operations.md says what to do about each). Each watches one metric without metric math, so that the
 * metric's own graph shows the alarm's history.
 */
const watches = (watched: Watched, deployment: Deployment): Watch[] => [
  ...requestWatches(watched, deployment),
  ...capacityWatches(watched),
  ...historyWatches(watched, deployment),
];

function requestWatches({ api, accessLogs }: Watched, { stage }: Deployment): Watch[] {
  return [
    {
      id: 'ServerErrors',
      meaning: 'More than 1 % of the requests end in a 5xx',
      // Average of 0 or 1 for each request: the rate.
      metric: api.metricServerError({ period: MINUTES, statistic: 'Average' }),
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
    {
      id: 'Guessing',
      meaning: 'So many sign-ins are refused that somebody may be guessing passwords',
      metric: refusedSignIns(accessLogs, stage),
      above: GUESSES,
      periods: 1,
    },
  ];
}

function capacityWatches({ table, functions }: Watched): Watch[] {
  return [
    ...Object.entries(functions).map(([name, each]) => ({
      id: `${capital(name)}Throttles`,
      meaning: `Lambda turns calls of ${name} away: no concurrency is left`,
      metric: each.metricThrottles(SUM),
      above: 0,
      periods: 2,
    })),
    ...(['ingest', 'compact'] as const).map((name) => ({
      id: `${capital(name)}Errors`,
      meaning: `The function ${name} fails`,
      metric: functions[name].metricErrors(SUM),
      above: 0,
      periods: 2,
    })),
    ...(['Read', 'Write'] as const).map((kind) => ({
      id: `Table${kind}Throttles`,
      meaning: `DynamoDB turns ${kind.toLowerCase()}s away`,
      metric: table.metric(`${kind}ThrottleEvents`, SUM),
      above: 0,
      periods: 2,
    })),
  ];
}

function historyWatches({ queues, files, functions }: Watched, { stage }: Deployment): Watch[] {
  return [
    {
      id: 'DeadLetters',
      meaning: 'Records could not be taken in and wait in the dead-letter queue',
      metric: queues.deadLetters.metricApproximateNumberOfMessagesVisible(HIGHEST),
      above: 0,
      periods: 1,
    },
    {
      id: 'DeadSteps',
      meaning: 'A step of an import died again and again: the import stands still',
      metric: files.deadSteps.metricApproximateNumberOfMessagesVisible(HIGHEST),
      above: 0,
      periods: 1,
    },
    {
      id: 'QueueAge',
      meaning: 'The oldest record has been waiting for more than a minute: reports are not fresh',
      metric: queues.queue.metricApproximateAgeOfOldestMessage(HIGHEST),
      above: 60, // s
      periods: 1,
    },
    {
      id: 'CompactionMissing',
      meaning: 'Compaction has not run for half an hour',
      metric: functions.compact.metricInvocations({ period: Duration.minutes(30), statistic: 'Sum' }),
      below: 1,
      periods: 1,
    },
    {
      id: 'SegmentsOverBound',
      meaning: 'Compaction does not keep up: a site has more live segments than its bound',
      metric: new Metric({
        namespace: NAMESPACE,
        metricName: 'segmentsOverBound',
        dimensionsMap: { stage },
        ...HIGHEST,
      }),
      above: 0,
      periods: 6,
    },
  ];
}

/** The number of 401s in the gateway's log. */
const refusedSignIns = (accessLogs: LogGroup, stage: string): IMetric =>
  new MetricFilter(accessLogs, 'RefusedSignIns', {
    logGroup: accessLogs,
    filterPattern: FilterPattern.stringValue('$.status', '=', '401'),
    metricNamespace: `${NAMESPACE}/${stage}`,
    metricName: REFUSED,
    metricValue: '1',
  }).metric({ period: MINUTES, statistic: 'Sum' });

const capital = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** Creates the alarms, which all notify one topic; it sends mail if the context has `alarmEmail`. */
export function createAlarms(scope: Construct, watched: Watched, deployment: Deployment): Alarm[] {
  const topic = createTopic(scope, deployment);
  return watches(watched, deployment).map((watch) => {
    const alarm = new Alarm(scope, `${watch.id}Alarm`, {
      alarmDescription: watch.meaning,
      metric: watch.metric,
      evaluationPeriods: watch.periods,
      ...limitsOf(watch),
    });
    alarm.addAlarmAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
    return alarm;
  });
}

const limitsOf = ({ above, below }: Watch) =>
  below === undefined
    ? {
        threshold: above ?? 0,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }
    : {
        threshold: below,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.BREACHING,
      };

/**
 * The topic of all alarms. A topic with its own policy admits only those that the policy names, so CloudWatch must be
 * named.
 */
function createTopic(scope: Construct, { stage, alarmEmail }: Deployment): Topic {
  const topic = new Topic(scope, 'Alarms', { displayName: `Support service (${stage})`, enforceSSL: true });
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AlarmsOfThisAccount',
      effect: Effect.ALLOW,
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  if (alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(alarmEmail));
  return topic;
}
