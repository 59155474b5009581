/**
 * What AWS asks, in US dollars: public list prices of us-east-1 without free tier or discounts, as known in January 2026.
 * Other regions ask up to twice as much. Whoever relies on a figure compares this table with the price pages first.
 */
export const PRICES = {
  asOf: '2026-01',
  region: 'us-east-1',
  gatewayRequests: 3.5, // REST API, a million
  lambdaRequests: 0.2, // a million
  lambdaGigabyteSecond: 0.000_013_333_4, // arm64
  readUnits: 0.125, // on demand, a million; one strongly consistent read of 4 KB
  writeUnits: 0.625, // on demand, a million; one write of 1 KB
  diskGigabyteSecond: 0.000_000_030_9, // of a function, beyond the first 512 MB
  fileGigabyteMonth: 0.023, // in a bucket
  tableGigabyteMonth: 0.25,
  recoveryGigabyteMonth: 0.2, // point-in-time recovery
  queueRequests: 0.5, // FIFO, a million
  logGigabyte: 0.5, // taken in
  metricMonth: 0.3, // a custom one
  alarmMonth: 0.1,
  dashboardMonth: 3,
} as const;

const MILLION = 1_000_000;

/** What one piece of work uses. */
export interface Use {
  readonly ms: number; // of a function
  readonly memory: number; // MB of that function
  readonly readUnits: number;
  readonly writeUnits: number;
}

const LOG_LINE = 1_000; // bytes: a request's line, the gateway's and Lambda's own

/** Dollars for a piece of work that comes through the gateway. */
export function priceOfRequest(use: Use): number {
  const { gatewayRequests, logGigabyte } = PRICES;
  return gatewayRequests / MILLION + priceOfWork(use) + (LOG_LINE / 1e9) * logGigabyte;
}

/** Dollars for a piece of work in a function, without the gateway. */
export function priceOfWork({ ms, memory, readUnits, writeUnits }: Use): number {
  const { lambdaRequests, lambdaGigabyteSecond } = PRICES;
  const computing = (ms / 1000) * (memory / 1024) * lambdaGigabyteSecond;
  const table = (readUnits * PRICES.readUnits + writeUnits * PRICES.writeUnits) / MILLION;
  return lambdaRequests / MILLION + computing + table;
}
