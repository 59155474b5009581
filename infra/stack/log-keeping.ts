import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type Deployment, isDisposable } from './context.ts';

/** How long a log group keeps its lines, and whether it stays when the stack goes. */
export const logKeeping = (deployment: Deployment) =>
  isDisposable(deployment)
    ? { retention: RetentionDays.ONE_WEEK, removalPolicy: RemovalPolicy.DESTROY }
    : { retention: RetentionDays.THREE_MONTHS, removalPolicy: RemovalPolicy.RETAIN };
