import { Duration } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  Metric,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { NAMESPACE } from '../../lib/metrics.ts';
import type { Watched } from './alarms.ts';
import type { Deployment } from './context.ts';

/** The dashboard of the service's health: alarms, requests, times, functions, table, queue, history. */
export function createDashboard(
  scope: Construct,
  { api, table, queues, functions }: Watched,
  alarms: readonly Alarm[],
  { stage }: Deployment,
): Dashboard {
  const sum = { statistic: 'Sum' };
  const all = Object.values(functions).map(({ code }) => code);
  const own = (metricName: string, statistic: string): IMetric =>
    new Metric({ namespace: NAMESPACE, metricName, dimensionsMap: { stage }, statistic });
  const rows: readonly (readonly IWidget[])[] = [
    [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 3 })],
    [
      graph('Requests', [api.metricCount(sum), api.metricClientError(sum), api.metricServerError(sum)]),
      graph(
        'Answer time (ms)',
        ['p50', 'p90', 'p99'].map((statistic) => api.metricLatency({ statistic })),
      ),
      graph('Round trips a request', [own('trips', 'Average'), own('trips', 'p99')]),
    ],
    [
      graph(
        'Function time (ms, p99)',
        all.map((each) => each.metricDuration({ statistic: 'p99' })),
      ),
      graph(
        'Function errors',
        all.map((each) => each.metricErrors(sum)),
      ),
      graph(
        'Function throttles',
        all.map((each) => each.metricThrottles(sum)),
      ),
    ],
    [
      graph('Table: units', [table.metricConsumedReadCapacityUnits(sum), table.metricConsumedWriteCapacityUnits(sum)]),
      graph('Queue', [
        queues.queue.metricApproximateNumberOfMessagesVisible(),
        queues.deadLetters.metricApproximateNumberOfMessagesVisible(),
        queues.queue.metricApproximateAgeOfOldestMessage(),
      ]),
      graph('History', [own('segments', 'Maximum'), own('segmentsOverBound', 'Maximum')]),
    ],
    [graph('Help desks', [own('ConnectionLag', 'Maximum'), own('ConnectionFailing', 'Maximum')])],
  ];
  return new Dashboard(scope, 'Dashboard', {
    widgets: rows.map((row) => [...row]),
    defaultInterval: Duration.hours(12),
  });
}

const graph = (title: string, left: IMetric[]): GraphWidget => new GraphWidget({ title, left, width: 8, height: 6 });
