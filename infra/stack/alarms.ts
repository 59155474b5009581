import { Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Alarm, ComparisonOperator, type IMetric, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { NAMESPACE } from '../../lib/metrics.ts';
import { addressOf, type Deployment } from './context.ts';
import type { Files } from './files.ts';
import type { EachFunction } from './permissions.ts';
import type { Queues } from './queue.ts';
import type { ServiceTable } from './table.ts';

export interface Watched {
  readonly api: RestApi;
  readonly accessLogs: LogGroup;
  readonly table: ServiceTable;
  readonly queues: Queues;
  readonly files: Files;
  readonly deadRuns: Queue;
  readonly deadExports?: Queue; // with a warehouse
  readonly functions: EachFunction<LambdaFunction>;
}

/**
 * An alarm: goes off if the metric is above `above`, or under `below`, for `periods` periods in a row. Missing data
 * counts as good. With `expected` it is told when the metric, which had data, has none any more; it is quiet until the
 * first data, so that a new stage raises no alarm.
 */
interface Watch {
  readonly id: string;
  readonly meaning: string;
  readonly metric: IMetric;
  readonly above?: number;
  readonly below?: number;
  readonly expected?: true;
  readonly periods: number;
}

const REFUSED = 'refusedSignIns';
const GUESSES = 300; // refused sign-ins in 5 minutes, more than forgotten passwords explain

const NEAR = 0.9; // of a function's time limit
const DAYS_LEFT = 21; // of a certificate; ACM renews it 60 days before its end if it can

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
  ...certificateWatches(deployment),
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
    ...(['ingest', 'load', 'compact', 'deliver'] as const).flatMap((name) => {
      const metric = functions[name]?.metricErrors(SUM);
      const meaning = `The function ${name} fails`;
      return metric === undefined ? [] : [{ id: `${capital(name)}Errors`, meaning, metric, above: 0, periods: 2 }];
    }),
    ...Object.entries(functions).map(([name, each]) => ({
      id: `${capital(name)}NearLimit`,
      meaning: `A call of ${name} took almost as long as it may`,
      metric: each.metricDuration(HIGHEST),
      above: NEAR * (each.timeout?.toMilliseconds() ?? 0),
      periods: 1,
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

function historyWatches({ queues, files, deadRuns, deadExports, functions }: Watched, { stage }: Deployment): Watch[] {
  return [
    {
      id: 'DeadLetters',
      meaning: 'Records could not be taken in and wait in the dead-letter queue',
      metric: queues.deadLetters.metricApproximateNumberOfMessagesVisible(HIGHEST),
      above: 0,
      periods: 1,
    },
    {
      id: 'NewDeadLetters', // while old letters wait, the alarm before does not tell of new ones
      meaning: 'More records were refused in the last minutes',
      metric: queues.deadLetters.metricNumberOfMessagesSent(SUM),
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
      expected: true,
      periods: 1,
    },
    {
      id: 'DeadRuns',
      meaning: 'A scheduled compaction could not begin, or failed each time',
      metric: deadRuns.metricApproximateNumberOfMessagesVisible(HIGHEST),
      above: 0,
      periods: 1,
    },
    ...(deadExports === undefined
      ? []
      : [
          {
            id: 'DeadExports',
            meaning: 'An export to the warehouse failed each time',
            metric: deadExports.metricApproximateNumberOfMessagesVisible(HIGHEST),
            above: 0,
            periods: 1,
          },
        ]),
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

const certificateWatches = ({ certificate }: Deployment): Watch[] =>
  certificate === undefined
    ? []
    : [
        {
          id: 'CertificateEnds',
          meaning: 'The certificate of the domain ends soon and was not renewed',
          metric: new Metric({
            ...{ namespace: 'AWS/CertificateManager', metricName: 'DaysToExpiry' },
            dimensionsMap: { CertificateArn: certificate },
            ...{ period: Duration.days(1), statistic: 'Minimum' },
          }),
          below: DAYS_LEFT,
          periods: 1,
        },
      ];

/**
 * The number of refused sign-ins in the gateway's log: 401s, and 429s save those of reports, which the site's lock
 * refuses day by day.
 */
const refusedSignIns = (accessLogs: LogGroup, stage: string): IMetric =>
  new MetricFilter(accessLogs, 'RefusedSignIns', {
    logGroup: accessLogs,
    filterPattern: FilterPattern.any(
      FilterPattern.stringValue('$.status', '=', '401'),
      FilterPattern.all(
        FilterPattern.stringValue('$.status', '=', '429'),
        FilterPattern.stringValue('$.path', '!=', '*/insights3/*'),
      ),
    ),
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
    if (watch.expected) alarm.addInsufficientDataAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
    return alarm;
  });
}

const limitsOf = ({ above, below, expected }: Watch) =>
  below === undefined
    ? {
        threshold: above ?? 0,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }
    : {
        threshold: below,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        treatMissingData: expected ? TreatMissingData.MISSING : TreatMissingData.NOT_BREACHING,
      };

/**
 * The topic of all alarms. A topic with its own policy admits only those that the policy names, so CloudWatch must be
 * named.
 */
function createTopic(scope: Construct, deployment: Deployment): Topic {
  const { stage } = deployment;
  const alarmEmail = addressOf(deployment);
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
