import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
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
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { ENGINE_BYTES } from '../../lib/insights/engine/engine-metrics.ts';
import { NAMESPACE, REFUSED_SIGN_INS } from '../../lib/metrics.ts';
import { ENGINE_DAY_BYTES } from '../../lib/settings.ts';
import { addressOf, type Deployment } from './context.ts';
import type { Files } from './files.ts';
import type { LiveFunction } from './function.ts';
import type { EachFunction } from './functions.ts';
import type { Queues } from './queue.ts';
import type { ServiceTable } from './table.ts';

export interface Watched {
  readonly api: RestApi;
  readonly accessLogs: LogGroup;
  readonly table: ServiceTable;
  readonly queues: Queues;
  readonly files: Files;
  readonly deadRuns: Queue;
  readonly deadPulls: Queue;
  readonly deadExports?: Queue; // with a warehouse
  readonly functions: EachFunction<LiveFunction>;
}

/**
 * An alarm: goes off if the metric is above `above`, or under `below`, for `periods` periods in a row. Missing data
 * counts as good. With `expected` it is told when the metric, which had data, has none any more; it is quiet until the
 * first data, so that a new stage raises no alarm.
 */
interface Watch {
  readonly id: string;
  readonly chapter?: string; // of the runbook, a heading of docs/operations.md; default: the id
  readonly meaning: string; // what is wrong, with the metric's meaning
  readonly look: string; // the command that shows the lines or messages
  readonly metric: IMetric;
  readonly above?: number; // default: 0
  readonly below?: number;
  readonly expected?: true;
  readonly periods?: number; // default: 1
}

const RUNBOOK = 'docs/operations.md';
const GUESSES = 300; // refused sign-ins in 5 minutes, more than forgotten passwords explain

const NEAR = 0.9; // of a function's time limit
const DAYS_LEFT = 21; // of a certificate; ACM renews it 60 days before its end if it can

const MINUTES = Duration.minutes(5);

const SUM = { period: MINUTES, statistic: 'Sum' };
const HIGHEST = { period: MINUTES, statistic: 'Maximum' };

/** The lines of the last hour of a log group that match a pattern. */
const lines = ({ logGroupName }: LogGroup, pattern: string): string =>
  `aws logs filter-log-events --log-group-name ${logGroupName} --start-time $(($(date +%s)-3600))000 --filter-pattern '${pattern}' --query 'events[].message' --output text`;

/** The messages of a queue; they stay in it. */
const messages = ({ queueUrl }: Queue): string =>
  `aws sqs receive-message --queue-url ${queueUrl} --max-number-of-messages 10 --visibility-timeout 30 --message-attribute-names All`;

const message = (text: string): string => `{ $.message = "${text}" }`;
const ENDS = 'platform.report'; // Lambda's line at the end of a call, with its milliseconds
const CALLS = `{ $.type = "${ENDS}" }`;

/** Every alarm (docs/operations.md has a chapter about each), each on one metric. */
const watches = (watched: Watched, deployment: Deployment): Watch[] => [
  ...requestWatches(watched, deployment),
  ...capacityWatches(watched),
  ...historyWatches(watched, deployment),
  ...connectionWatches(watched, deployment),
  ...optionalWatches(watched, deployment),
];

/** A metric of the service's own log lines. */
const own = (metricName: string, { stage }: Deployment, how: { period: Duration; statistic: string }): IMetric =>
  new Metric({ namespace: NAMESPACE, metricName, dimensionsMap: { stage }, ...how });

/** Goes off while messages wait in a queue of what failed. */
const waiting = (id: string, queue: Queue, meaning: string): Watch => ({
  id,
  meaning,
  look: messages(queue),
  metric: queue.metricApproximateNumberOfMessagesVisible(HIGHEST),
});

/** By how much a metric rose since the period before. */
const rising = (depth: IMetric): IMetric =>
  new MathExpression({ expression: 'DIFF(depth)', usingMetrics: { depth }, period: MINUTES });

function requestWatches({ api, accessLogs, functions }: Watched, deployment: Deployment): Watch[] {
  return [
    {
      id: 'ServerErrors',
      meaning: 'More than 1 % of the requests ended in a 5xx, as the gateway counts them',
      look: lines(accessLogs, '{ $.status = "5*" }'),
      // Average of 0 or 1 for each request: the rate.
      metric: api.metricServerError({ period: MINUTES, statistic: 'Average' }),
      above: 0.01,
      periods: 2,
    },
    {
      id: 'SlowRequests',
      meaning: 'One request in a hundred took longer than 5 s, from the gateway to the answer',
      look: lines(functions.insights.logGroup, '{ $.message = "request" && $.ms > 5000 }'),
      metric: api.metricLatency({ period: MINUTES, statistic: 'p99' }),
      above: 5_000, // ms
      periods: 3,
    },
    {
      id: 'Guessing',
      meaning: `More than ${GUESSES} sign-ins in 5 minutes were refused, with 401 or unchecked with 429: somebody may be guessing passwords`,
      look: lines(accessLogs, '{ $.status = "401" || $.status = "429" }'),
      metric: own(REFUSED_SIGN_INS, deployment, SUM),
      above: GUESSES,
    },
  ];
}

function capacityWatches({ table, functions, accessLogs }: Watched): Watch[] {
  return [
    ...Object.values(functions).flatMap(({ name, entry: { paths, timeout }, code, logGroup }): Watch[] => {
      const { id } = code.node;
      const failing: Watch = {
        id: `${id}Errors`,
        chapter: 'Errors',
        meaning: `Calls of the function ${name} failed as a whole`,
        look: lines(logGroup, '{ $.level = "error" || $.level = "ERROR" }'),
        metric: code.metricErrors(SUM),
        periods: 2,
      };
      return [
        {
          id: `${id}Throttles`,
          chapter: 'Throttles',
          meaning: `Lambda turned calls of ${name} away, as no concurrency was left`,
          look: lines(logGroup, CALLS),
          metric: code.metricThrottles(SUM),
          periods: 2,
        },
        ...(paths === undefined ? [failing] : []), // others fail in replies: ServerErrors
        {
          id: `${id}NearLimit`,
          chapter: 'NearLimit',
          meaning: `A call of ${name} took nine tenths of the ${timeout.toSeconds()} s that it may`,
          look: lines(logGroup, CALLS),
          metric: code.metricDuration(HIGHEST),
          above: NEAR * timeout.toMilliseconds(),
        },
      ];
    }),
    ...(['Read', 'Write'] as const).map((kind) => ({
      id: `Table${kind}Throttles`,
      chapter: 'TableThrottles',
      meaning: `DynamoDB turned ${kind.toLowerCase()}s of the table away`,
      look: lines(accessLogs, '{ $.status = "503" }'),
      metric: table.metric(`${kind}ThrottleEvents`, SUM),
      periods: 2,
    })),
  ];
}

function historyWatches({ queues, files, deadRuns, functions }: Watched, deployment: Deployment): Watch[] {
  const { compact, ingest } = functions;
  const depth = queues.deadLetters.metricApproximateNumberOfMessagesVisible(HIGHEST);
  const sent = queues.deadLetters.metricNumberOfMessagesSent(SUM); // emulators do not calculate with metrics
  return [
    waiting('DeadLetters', queues.deadLetters, 'Records that could not be taken in wait in the dead-letter queue'),
    {
      id: 'NewDeadLetters', // while old letters wait, the alarm before does not tell of new ones
      chapter: 'DeadLetters',
      meaning: 'More records came to the dead letters in the last minutes, by how much the queue has grown',
      look: lines(ingest.logGroup, '{ $.message = "message failed" || $.message = "message refused" }'),
      // What SQS itself moves here, after too many tries or by a redrive, counts as no message sent.
      metric: deployment.endpoint === undefined ? rising(depth) : sent,
    },
    {
      id: 'DeadSteps',
      meaning: 'A step of an import died again and again, and waits in the queue DeadSteps: the import stands still',
      look: lines(functions.load.logGroup, '{ $.message = "import failed" || $.message = "message failed" }'),
      metric: files.deadSteps.metricApproximateNumberOfMessagesVisible(HIGHEST),
    },
    {
      id: 'QueueAge',
      meaning: 'The oldest record has been waiting for more than a minute: reports are not fresh',
      look: lines(ingest.logGroup, message('message failed')),
      metric: queues.queue.metricApproximateAgeOfOldestMessage(HIGHEST),
      above: 60, // s
    },
    stopped('Compaction', compact, { period: Duration.minutes(30), since: 'half an hour' }),
    waiting(
      'DeadRuns',
      deadRuns,
      'A scheduled compaction could not begin, or failed each time, and waits in the queue DeadRuns',
    ),
    {
      id: 'SegmentsOverBound',
      meaning: 'Compaction does not keep up: a site has more live segments than its bound',
      look: lines(compact.logGroup, '{ $.segmentsOverBound > 0 }'),
      metric: own('segmentsOverBound', deployment, HIGHEST),
      periods: 6,
    },
  ];
}

function connectionWatches({ deadPulls, functions: { pulls } }: Watched, deployment: Deployment): Watch[] {
  return [
    stopped('Pulls', pulls, { period: Duration.minutes(30), since: 'half an hour' }),
    waiting('DeadPulls', deadPulls, 'A pull of a help desk died again and again, and waits in the queue DeadPulls'),
    {
      id: 'ConnectionLag',
      meaning:
        'A connection to a help desk is behind by more than four of its intervals and 15 minutes, or failing as long',
      look: lines(pulls.logGroup, '{ $.ConnectionLate > 0 || $.end = "failed" }'),
      metric: own('ConnectionLate', deployment, HIGHEST),
    },
  ];
}

/** Tells when a function's schedule starts it no more. */
const stopped = (
  what: string,
  { name, code, logGroup }: LiveFunction,
  { period, periods = 1, since }: { readonly period: Duration; readonly periods?: number; readonly since: string },
): Watch => ({
  id: `${what}Missing`,
  chapter: 'Missing',
  meaning: `The schedule has not started ${name} for ${since}, counted by calls`,
  look: lines(logGroup, CALLS),
  metric: code.metricInvocations({ period, statistic: 'Sum' }),
  below: 1,
  expected: true,
  periods,
});

/** The alarms of what only some deployments have: a warehouse, mails, a certificate. */
function optionalWatches({ functions, deadExports }: Watched, deployment: Deployment): Watch[] {
  const { warehouse, deliver } = functions;
  const { certificate } = deployment;
  return [
    ...(warehouse === undefined || deadExports === undefined
      ? []
      : [
          stopped('Export', warehouse, { period: Duration.hours(6), periods: 5, since: '30 hours' }),
          waiting(
            'DeadExports',
            deadExports,
            'An export to the warehouse failed each time, and waits in the queue DeadExports',
          ),
          {
            id: 'EngineDay',
            meaning: 'Reports have read four fifths of what they may read in the warehouse in a day',
            look: lines(functions.insights.logGroup, '{ $.EngineBytes > 0 }'),
            metric: own(ENGINE_BYTES, deployment, { period: Duration.days(1), statistic: 'Sum' }),
            above: 0.8 * ENGINE_DAY_BYTES,
          },
        ]),
    ...(deliver === undefined
      ? []
      : [
          stopped('Delivery', deliver, { period: Duration.minutes(30), since: 'half an hour' }),
          {
            id: 'MailsPutOff',
            meaning:
              'For 15 minutes mails that are due could not be sent, by the subscriptions and alerts put off in a run',
            look: lines(deliver.logGroup, message('mail put off')),
            metric: own('putOff', deployment, SUM),
            periods: 3,
          },
        ]),
    ...(certificate === undefined
      ? []
      : [
          {
            id: 'CertificateEnds',
            meaning: `The certificate of the domain ends in less than ${DAYS_LEFT} days and was not renewed`,
            look: `aws acm describe-certificate --certificate-arn ${certificate} --query Certificate.RenewalSummary`,
            metric: new Metric({
              namespace: 'AWS/CertificateManager',
              metricName: 'DaysToExpiry',
              dimensionsMap: { CertificateArn: certificate },
              period: Duration.days(1),
              statistic: 'Minimum',
            }),
            below: DAYS_LEFT,
          },
        ]),
  ];
}

/** Creates the alarms, which all notify one topic; it sends mail if the context has `alarmEmail`. */
export function createAlarms(scope: Construct, watched: Watched, deployment: Deployment): Alarm[] {
  const topic = createTopic(scope, deployment);
  const { runbook = RUNBOOK } = deployment;
  return watches(watched, deployment).map((watch) => {
    const alarm = new Alarm(scope, `${watch.id}Alarm`, {
      // The sentence, the runbook's address, and the command that shows the lines.
      alarmDescription: `${watch.meaning}.\n${runbook}#${(watch.chapter ?? watch.id).toLowerCase()}\n${watch.look}`,
      metric: watch.metric,
      evaluationPeriods: watch.periods ?? 1,
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
  new CfnOutput(scope, 'AlarmTopic', { value: topic.topicArn, description: 'Where alarms are told' });
  if (alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(alarmEmail));
  return topic;
}
