/** Metrics as CloudWatch reads them out of log lines (embedded metric format). */

export const NAMESPACE = 'SupportService';

export type MetricUnit = 'Count' | 'Milliseconds' | 'Bytes';

/**
 * The `_aws` part of a log line: names the line's fields that are metrics, and the fields that are their dimensions.
 */
export function metricsOf(
  units: Readonly<Record<string, MetricUnit>>,
  dimensions: readonly string[],
  now: number, // epoch ms
): { readonly _aws: Readonly<Record<string, unknown>> } {
  const Metrics = Object.entries(units).map(([Name, Unit]) => ({ Name, Unit }));
  return { _aws: { Timestamp: now, CloudWatchMetrics: [{ Namespace: NAMESPACE, Dimensions: [dimensions], Metrics }] } };
}
