import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { FAILURES } from '../../lib/errors.ts';
import { type Deployment, isDisposable } from './context.ts';

const SPAN = 300; // s
const MOST = 6_000; // requests of an address in that time; an office behind one address makes some hundreds
const WAIT = '60'; // s
const BODY = 'TooMany';

/** Whether a deployment has a web ACL of the stack: on unless the context says otherwise or the stage is disposable. */
export const hasOwnAcl = (deployment: Pick<Deployment, 'stage' | 'webAcl'>): boolean =>
  (deployment.webAcl ?? (isDisposable(deployment) ? 'off' : 'on')) === 'on';

/**
 * Puts a web ACL in front of the API: that of the context, or one of the stack that slows down single addresses. It
 * answers as the API does.
 */
export function addWebAcl(scope: Construct, deployment: Deployment, api: RestApi): void {
  const ownArn = deployment.webAcl?.startsWith('arn:') ? deployment.webAcl : undefined;
  const arn = ownArn ?? (hasOwnAcl(deployment) ? createAcl(scope, deployment).attrArn : undefined);
  if (arn === undefined) return;
  new CfnWebACLAssociation(scope, 'WebAclOfApi', { resourceArn: api.deploymentStage.stageArn, webAclArn: arn });
}

function createAcl(scope: Construct, { stage }: Deployment): CfnWebACL {
  const visibilityConfig = (metricName: string) => ({
    metricName,
    cloudWatchMetricsEnabled: true,
    sampledRequestsEnabled: false, // samples hold headers, and so credentials
  });
  const { status, message } = FAILURES.too_many_requests;
  const headers = { 'Retry-After': WAIT, 'X-Rate-Limit-Reset': WAIT, 'X-Rate-Limit-Remaining': '0' };
  return new CfnWebACL(scope, 'WebAcl', {
    description: `Slows down single addresses: ${stage}`,
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibilityConfig(`support-service-${stage}`),
    customResponseBodies: { [BODY]: { contentType: 'APPLICATION_JSON', content: JSON.stringify({ message }) } },
    rules: [
      {
        name: 'RateOfAddress',
        priority: 0,
        statement: { rateBasedStatement: { aggregateKeyType: 'IP', evaluationWindowSec: SPAN, limit: MOST } },
        action: {
          block: {
            customResponse: {
              responseCode: status,
              customResponseBodyKey: BODY,
              responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
            },
          },
        },
        visibilityConfig: visibilityConfig(`support-service-${stage}-rate-of-address`),
      },
    ],
  });
}
