import { Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Deployment } from './context.ts';
import type { LiveFunction } from './function.ts';

const EVERY = Duration.minutes(5);

/**
 * Sends the mails that are due, every five minutes. A schedule fires at least once; a lease for each mail lets one run
 * send it. A run that fails is not repeated: the next one is soon, and does what is left. The function may send as the
 * one sender alone.
 */
export function createDelivery(
  scope: Construct,
  { mailFrom = '', domain }: Deployment,
  {
    deliver: { code, alias, live },
    insights,
  }: { readonly deliver: LiveFunction; readonly insights: Pick<LiveFunction, 'code'> },
  api: RestApi,
): void {
  const { partition, region, account } = Stack.of(scope);
  const identity = (name: string): string => `arn:${partition}:ses:${region}:${account}:identity/${name}`;
  code.addToRolePolicy(
    new PolicyStatement({
      sid: 'SendAsTheSender',
      effect: Effect.ALLOW,
      actions: ['ses:SendEmail', 'ses:SendRawEmail'], // v2 asks for the second if a mail is raw
      resources: [identity(mailFrom), identity(mailFrom.slice(mailFrom.indexOf('@') + 1))], // the address or its domain
      conditions: { StringEquals: { 'ses:FromAddress': mailFrom } },
    }),
  );
  code.addEnvironment('MAIL_FROM', mailFrom);
  insights.code.addEnvironment('MAIL_FROM', mailFrom); // which says whether mails are sent
  code.addEnvironment('PUBLIC_URL', domain === undefined || domain.startsWith('*') ? api.url : `https://${domain}`);
  alias.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: EVERY });
  new Rule(scope, 'Delivery', {
    description: 'Sends the mails that are due',
    schedule: Schedule.rate(EVERY),
    targets: [new LambdaFunction(live, { retryAttempts: 0, maxEventAge: EVERY })],
  });
}
