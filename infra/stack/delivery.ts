import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { ConfigurationSet, EmailSendingEvent, EventDestination, SuppressionReasons } from 'aws-cdk-lib/aws-ses';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { mailsOfStage } from '../../lib/deliver/bounce.ts';
import type { Deployment } from './context.ts';
import type { LiveFunction } from './function.ts';
import { type EachFunction, FUNCTIONS } from './functions.ts';
import { GROUPED } from './queue.ts';

const EVERY = Duration.minutes(5);

const AT_ONCE = 10; // sites whose mails are made side by side

const REPEATED_FOR = Duration.hours(1);

/**
 * Sends the mails that are due, where the context names a sender, and hears which of them an address did not take. Every
 * five minutes the function sends itself a message for each site with due mails. All fires at least once; a lease for
 * each mail lets one run send it. The function may send as the one sender alone.
 */
export function createDelivery(
  scope: Construct,
  deployment: Deployment,
  { deliver, insights }: EachFunction<LiveFunction>,
  api: RestApi,
): void {
  const { stage, mailFrom, domain } = deployment;
  if (deliver === undefined || mailFrom === undefined) return;
  const { code, alias, live } = deliver;
  const { partition, region, account } = Stack.of(scope);
  const ses = (name: string): string => `arn:${partition}:ses:${region}:${account}:${name}`;
  const identities = [mailFrom, mailFrom.slice(mailFrom.indexOf('@') + 1)]; // the address or its domain
  code.addToRolePolicy(
    new PolicyStatement({
      sid: 'SendAsTheSender',
      effect: Effect.ALLOW,
      actions: ['ses:SendEmail', 'ses:SendRawEmail'], // v2 asks for the second if a mail is raw
      resources: [
        ...identities.map((name) => ses(`identity/${name}`)),
        ses(`configuration-set/${mailsOfStage(stage)}`),
      ],
      conditions: { StringEquals: { 'ses:FromAddress': mailFrom } },
    }),
  );
  code.addEnvironment('MAIL_FROM', mailFrom);
  insights.code.addEnvironment('MAIL_FROM', mailFrom); // which says whether mails are sent
  code.addEnvironment('PUBLIC_URL', domain === undefined || domain.startsWith('*') ? api.url : `https://${domain}`);
  // Of a run that failed the next one does what is left, so a repeat is of use to a bounce alone.
  alias.configureAsyncInvoke({ retryAttempts: 2, maxEventAge: REPEATED_FOR });
  new Rule(scope, 'Delivery', {
    description: 'Sends the mails that are due',
    schedule: Schedule.rate(EVERY),
    targets: [new LambdaFunction(live, { retryAttempts: 0, maxEventAge: EVERY })],
  });
  queueSites(scope, deliver);
  hearBounces(scope, mailsOfStage(stage), live);
}

/** The queue of sites that mails are due of. It has no dead letters: what a message did not do the next run does. */
function queueSites(scope: Construct, { code, live }: LiveFunction): void {
  const queue = new Queue(scope, 'DueMails', {
    ...GROUPED, // a site's messages follow one another
    contentBasedDeduplication: true,
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    removalPolicy: RemovalPolicy.DESTROY,
    retentionPeriod: REPEATED_FOR,
    visibilityTimeout: FUNCTIONS.deliver.timeout.plus(Duration.minutes(1)),
  });
  live.addEventSource(new SqsEventSource(queue, { batchSize: 1, maxConcurrency: AT_ONCE }));
  queue.grantSendMessages(code);
  code.addEnvironment('MAIL_URL', queue.queueUrl);
}

/**
 * Tells the function of bounces and complaints. SES sends nothing more to such an address, and says so by another bounce:
 * an event that is lost comes again with the next mail.
 */
function hearBounces(scope: Construct, configurationSetName: string, live: LiveFunction['live']): void {
  const mails = new ConfigurationSet(scope, 'Mails', {
    configurationSetName,
    suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
  });
  mails.addEventDestination('Bounces', {
    destination: EventDestination.eventBus(EventBus.fromEventBusName(scope, 'Bus', 'default')), // SES knows no other
    events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
  });
  new Rule(scope, 'Bounced', {
    description: 'Ends the mails to addresses that take none',
    eventPattern: {
      source: ['aws.ses'],
      detailType: ['Email Bounced', 'Email Complaint Received'],
      detail: { mail: { tags: { 'ses:configuration-set': [configurationSetName] } } },
    },
    targets: [new LambdaFunction(live)],
  });
}
