import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { NAMESPACE } from '../../lib/metrics.ts';
import type { Deployment } from './context.ts';
import type { LiveFunction } from './function.ts';
import type { EachFunction } from './functions.ts';

const FAILURES = 'requestFailures';

/**
 * Has CodeDeploy shift each function's traffic: 10 % to the new version for five minutes, then the rest. It goes back by
 * itself if the function dies, or logs that a request failed, which its errors do not count.
 */
export function shiftTraffic(
  scope: Construct,
  { stage, canary }: Deployment,
  functions: EachFunction<LiveFunction>,
): void {
  if (canary === 'off') return;
  const application = new LambdaApplication(scope, 'Deploys');
  for (const { name, entry, code, alias, logGroup } of Object.values(functions)) {
    if (!entry.shifts) continue;
    const { id } = code.node;
    const failures = new MetricFilter(scope, `${id}RequestFailures`, {
      logGroup,
      filterPattern: FilterPattern.stringValue('$.message', '=', 'request failed'),
      metricNamespace: `${NAMESPACE}/${stage}`,
      metricName: `${FAILURES}-${name}`,
      metricValue: '1',
    });
    const period = Duration.minutes(1);
    new LambdaDeploymentGroup(scope, `${id}Shift`, {
      application,
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      alarms: [
        anyOf(scope, `${id}ShiftErrors`, code.metricErrors({ period, statistic: 'Sum' })),
        anyOf(scope, `${id}ShiftFailures`, failures.metric({ period, statistic: 'Sum' })),
      ],
    });
  }
}

/** An alarm that only CodeDeploy looks at. */
const anyOf = (scope: Construct, id: string, metric: IMetric): Alarm =>
  new Alarm(scope, id, {
    metric,
    threshold: 0,
    evaluationPeriods: 1,
    alarmDescription: 'A deploy goes back to the version before',
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
