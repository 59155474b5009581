import { metricsOf } from '../../lib/metrics.ts';

it('names the metrics of a log line as CloudWatch reads them', () => {
  const line = { stage: 'dev', ms: 12, ...metricsOf({ ms: 'Milliseconds' }, ['stage'], 1_700_000_000_000) };
  expect(line._aws).toEqual({
    Timestamp: 1_700_000_000_000,
    CloudWatchMetrics: [
      { Namespace: 'SupportService', Dimensions: [['stage']], Metrics: [{ Name: 'ms', Unit: 'Milliseconds' }] },
    ],
  });
});
