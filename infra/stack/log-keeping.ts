import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type Deployment, isDisposable } from './context.ts';

/** The retention of a log group, and whether it is deleted with the stack. */
export const logKeeping = (deployment: Deployment) =>
  isDisposable(deployment)
    ? { retention: RetentionDays.ONE_WEEK, removalPolicy: RemovalPolicy.DESTROY }
    : { retention: RetentionDays.THREE_MONTHS, removalPolicy: RemovalPolicy.RETAIN };
