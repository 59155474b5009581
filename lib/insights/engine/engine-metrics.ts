import type { MetricUnit } from '../../metrics.ts';

/** The message of log lines about an engine. */
export const ENGINE = 'engine';

/** The metric of what queries read, of which an alarm adds up a day. */
export const ENGINE_BYTES = 'EngineBytes';

type Details = Readonly<Record<string, unknown>>;

/** The metrics of a log line about an engine, with their units and the line with their values. */
export function engineMetrics(details: Details = {}): [Readonly<Record<string, MetricUnit>>, Record<string, unknown>] {
  const { state, query_ms, scanned_bytes, parts_behind } = details;
  if (parts_behind !== undefined) return [{ PartsBehind: 'Count' }, { ...details, PartsBehind: parts_behind }];
  if (state === 'LATE') return [{ EngineLate: 'Count' }, { ...details, EngineLate: 1 }];
  if (query_ms === undefined) return [{ EngineThrottled: 'Count' }, { ...details, EngineThrottled: 1 }];
  return [
    { EngineQueries: 'Count', [ENGINE_BYTES]: 'Bytes', EngineMillis: 'Milliseconds' },
    { ...details, EngineQueries: 1, [ENGINE_BYTES]: scanned_bytes, EngineMillis: query_ms },
  ];
}
