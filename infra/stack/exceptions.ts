import { type Stack, Validations } from 'aws-cdk-lib';
import type { Deployment } from './context.ts';

/** The rules of cdk-nag's AwsSolutions pack that this stack does not follow, and why. */
export const EXCEPTIONS: readonly { readonly id: string; readonly reason: string }[] = [
  {
    id: 'AwsSolutions-APIG2',
    reason:
      'Requests are checked by the functions, whose errors name every fault; the gateway would answer first, otherwise.',
  },
  {
    id: 'AwsSolutions-APIG3',
    reason:
      'No web ACL by default: it costs by the month and its rules are each operator’s own (docs/deploy.md says how to add one).',
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
  ...['files', 'rejected'].map((folder) => ({
    id: `AwsSolutions-IAM5[Resource::<Files8E6940B8.Arn>/${folder}/*/*]`,
    reason:
      'One deployment serves all sites: a role cannot know them, nor the numbers of their imports. Each action is bound to one of two folders.',
  })),
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

/** Acknowledges the exceptions for cdk-nag, that of tracing only if it is on. */
export function acknowledge(stack: Stack, { tracing }: Pick<Deployment, 'tracing'>): void {
  for (const exception of tracing === 'on' ? [...EXCEPTIONS, TRACING] : EXCEPTIONS) {
    Validations.of(stack).acknowledge(exception);
  }
}
