import { type Stack, Validations } from 'aws-cdk-lib';
import type { Deployment } from './context.ts';
import { REPORT_RESULTS, WRITTEN_KEYS } from './warehouse.ts';
import { hasOwnAcl } from './web-acl.ts';

/** The rules of cdk-nag's AwsSolutions pack that this stack does not follow, and why. */
export const EXCEPTIONS: readonly { readonly id: string; readonly reason: string }[] = [
  {
    id: 'AwsSolutions-APIG2',
    reason:
      'Requests are checked by the functions, whose errors name every fault; the gateway would answer first, otherwise.',
  },
  {
    id: 'AwsSolutions-APIG4',
    reason:
      'The interface prescribes HTTP Basic: the functions check the credentials of every request (lib/http/caller.ts).',
  },
  {
    id: 'AwsSolutions-S1',
    reason:
      'No log of the bucket’s accesses: nobody but two functions and the forms that one of them signs reaches it, and the audit says who brought which file.',
  },
  {
    id: 'AwsSolutions-SQS3',
    reason:
      'Two queues have no dead letters: DeadRuns holds those of the schedule, and what a message of DueMails did not do the next run does. All others have some, or are some.',
  },
  ...['files', 'rejected'].map((folder) => ({
    id: `AwsSolutions-IAM5[Resource::<Files8E6940B8.Arn>/${folder}/*/*]`,
    reason:
      'One deployment serves all sites: a role cannot know them, nor the numbers of their imports. Each action is bound to one of two folders.',
  })),
  {
    id: 'AwsSolutions-SMG4',
    reason:
      'Keys are not renewed by themselves: what they encrypt must be encrypted again, which support token rekey does for those of OAuth.',
  },
  {
    id: 'AwsSolutions-COG4',
    reason: 'The interface prescribes HTTP Basic with users of each site; there is no Cognito user pool.',
  },
  {
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    reason: 'The account’s API Gateway role: AWS prescribes this managed policy for writing the access log.',
  },
];

/** Needed only for tracing: X-Ray's actions cannot be limited to resources. */
export const TRACING = {
  id: 'AwsSolutions-IAM5[Resource::*]',
  reason: 'X-Ray’s PutTraceSegments and PutTelemetryRecords cannot be bound to a resource.',
};

/** Needed only for shifting traffic. */
export const SHIFTING = {
  id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
  reason: 'AWS prescribes this managed policy for CodeDeploy’s role.',
};

/** Needed only with a warehouse. */
export const WAREHOUSE = [...WRITTEN_KEYS, `${REPORT_RESULTS}/*`].map((keys) => ({
  id: `AwsSolutions-IAM5[Resource::<FactsA5EA939F.Arn>/${keys}]`,
  reason:
    'Sites, months and queries make the keys of a warehouse: a role cannot know them. Each action is bound to its folders.',
}));

/** Needed only without a web ACL. */
export const NO_ACL = {
  id: 'AwsSolutions-APIG3',
  reason:
    'A stage that may be destroyed has no web ACL, which costs by the month; others have one unless the context says off.',
};

/** The exceptions that a deployment needs. */
const exceptionsOf = (deployment: Pick<Deployment, 'stage' | 'webAcl' | 'tracing' | 'canary' | 'warehouse'>) => [
  ...EXCEPTIONS,
  ...(deployment.tracing === 'on' ? [TRACING] : []),
  ...(deployment.warehouse === 'on' ? WAREHOUSE : []),
  ...(deployment.canary === 'on' ? [SHIFTING] : []),
  ...(hasOwnAcl(deployment) || deployment.webAcl?.startsWith('arn:') ? [] : [NO_ACL]),
];

/** Acknowledges the exceptions for cdk-nag. */
export function acknowledge(stack: Stack, deployment: Deployment): void {
  for (const exception of exceptionsOf(deployment)) Validations.of(stack).acknowledge(exception);
}
