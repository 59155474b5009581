/** Metrics as CloudWatch reads them out of log lines (embedded metric format). */

export const NAMESPACE = 'SupportService';

export type MetricUnit = 'Count' | 'Milliseconds' | 'Bytes';

/** The `_aws` part of a line: which of its fields are metrics, and by which of its other fields they are told apart. */
export function metricsOf(
  units: Readonly<Record<string, MetricUnit>>,
  dimensions: readonly string[],
  now: number, // epoch ms
): { readonly _aws: Readonly<Record<string, unknown>> } {
  const Metrics = Object.entries(units).map(([Name, Unit]) => ({ Name, Unit }));
  return { _aws: { Timestamp: now, CloudWatchMetrics: [{ Namespace: NAMESPACE, Dimensions: [dimensions], Metrics }] } };
}
