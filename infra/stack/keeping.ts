import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type Deployment, isDisposable } from './context.ts';

/**
 * What becomes of a resource with the stack: deleted in a disposable stage, else kept, save by a first deploy that
 * fails, which takes back what it made.
 */
export const keeping = (deployment: Deployment): RemovalPolicy =>
  isDisposable(deployment) ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/** The retention of a log group, and what becomes of it with the stack. */
export const logKeeping = (deployment: Deployment) => ({
  retention: isDisposable(deployment) ? RetentionDays.ONE_WEEK : RetentionDays.THREE_MONTHS,
  removalPolicy: keeping(deployment),
});
