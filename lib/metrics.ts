/** Metrics as CloudWatch reads them out of log lines (embedded metric format). */

export const NAMESPACE = 'SupportService';

/** The metric of sign-ins that were refused: by a wrong password or token, or unchecked after too many. */
export const REFUSED_SIGN_INS = 'refusedSignIns';

export type MetricUnit = 'Count' | 'Milliseconds' | 'Seconds' | 'Bytes';

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
