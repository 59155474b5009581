/**
 * The prices of AWS in US dollars: public list prices of us-east-1 without free tier or discounts, as of January 2026.
 * Other regions cost up to twice as much. Compare this table with the price pages before you rely on a figure.
 */
export const PRICES = {
  asOf: '2026-01',
  region: 'us-east-1',
  gatewayRequests: 3.5, // REST API, per million
  lambdaRequests: 0.2, // per million
  lambdaGigabyteSecond: 0.000_013_333_4, // arm64
  readUnits: 0.125, // on demand, per million; a unit is a strongly consistent read of 4 KB
  writeUnits: 0.625, // on demand, per million; a unit is a write of 1 KB
  diskGigabyteSecond: 0.000_000_030_9, // of a function, beyond the first 512 MB
  fileGigabyteMonth: 0.023, // in a bucket
  bucketPuts: 5, // puts and lists, per million
  bucketGets: 0.4, // per million
  tableGigabyteMonth: 0.25,
  recoveryGigabyteMonth: 0.2, // point-in-time recovery
  queueRequests: 0.5, // FIFO, per million
  logGigabyte: 0.5, // written to logs
  metricMonth: 0.3, // for each custom metric
  alarmMonth: 0.1,
  dashboardMonth: 3,
  secretMonth: 0.4,
  mails: 100, // by SES, per million, without attachments
} as const;

const MILLION = 1_000_000;

/** The resources that a piece of work uses. */
export interface Use {
  readonly ms: number; // run time of a function
  readonly memory: number; // MB of that function
  readonly readUnits: number;
  readonly writeUnits: number;
}

const LOG_LINE = 1_400; // bytes of the log lines of a request, including those of the gateway and of Lambda (idle.ts)

/** The price in dollars of a request through the gateway. */
export function priceOfRequest(use: Use): number {
  const { gatewayRequests, logGigabyte } = PRICES;
  return gatewayRequests / MILLION + priceOfWork(use) + (LOG_LINE / 1e9) * logGigabyte;
}

/** The price in dollars of work in a function, without the gateway. */
export function priceOfWork({ ms, memory, readUnits, writeUnits }: Use): number {
  const { lambdaRequests, lambdaGigabyteSecond } = PRICES;
  const computing = (ms / 1000) * (memory / 1024) * lambdaGigabyteSecond;
  const table = (readUnits * PRICES.readUnits + writeUnits * PRICES.writeUnits) / MILLION;
  return lambdaRequests / MILLION + computing + table;
}
