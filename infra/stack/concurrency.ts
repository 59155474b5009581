import { type Deployment, isDisposable } from './context.ts';
import { FUNCTIONS } from './functions.ts';
import type { EachFunction, FunctionName } from './permissions.ts';

const UNRESERVED = 100; // calls at once that AWS keeps free in an account
const INSIGHTS = 50; // reports at once, unless the context says otherwise
const USUAL_LIMIT = 1000; // calls at once of an account, unless the context says otherwise

/** The context values that decide what is reserved. */
export type Bounds = Pick<
  Deployment,
  | 'stage'
  | 'accountConcurrency'
  | 'insightsConcurrency'
  | 'ingestConcurrency'
  | 'importConcurrency'
  | 'warehouse'
  | 'mailFrom'
>;

/** The calls at once that each function may make, by context and `FUNCTIONS`; 0: no bound. */
function wishes(bounds: Bounds): EachFunction<number> {
  const numbers = { insightsConcurrency: INSIGHTS, ...withoutUndefined(bounds) };
  const wish = ({ atOnce }: { readonly atOnce: (typeof FUNCTIONS)[FunctionName]['atOnce'] }): number =>
    typeof atOnce === 'number' ? atOnce : numbers[atOnce];
  const { topics, macros, insights, imports, console: pages, ingest, load, compact, warehouse, deliver } = FUNCTIONS;
  return {
    ...{ topics: wish(topics), macros: wish(macros), insights: wish(insights), imports: wish(imports) },
    ...{ console: wish(pages), ingest: wish(ingest), load: wish(load), compact: wish(compact) },
    ...(bounds.warehouse === 'on' ? { warehouse: wish(warehouse) } : {}),
    ...(bounds.mailFrom === undefined ? {} : { deliver: wish(deliver) }),
  };
}

/** The number of calls at once that all functions of a stage that is kept reserve together. */
export const reservedTogether = (bounds: Bounds): number =>
  Object.values(wishes(bounds)).reduce((sum, calls) => sum + calls, 0);

/** Whether the account can reserve as much beside what it must keep free. */
export const isReserved = (bounds: Bounds): boolean =>
  !isDisposable(bounds) && reservedTogether(bounds) <= (bounds.accountConcurrency ?? USUAL_LIMIT) - UNRESERVED;

/**
 * The reserved concurrency of a function: it always finds as much, and never takes more from others. None in stages that
 * may be destroyed, which must take nothing from those that are kept, and none in an account that is too small.
 */
export const reserved = (name: FunctionName, bounds: Bounds): { reservedConcurrentExecutions?: number } => {
  const { [name]: calls = 0 } = wishes(bounds);
  return isReserved(bounds) && calls > 0 ? { reservedConcurrentExecutions: calls } : {};
};

function withoutUndefined({ insightsConcurrency, ingestConcurrency, importConcurrency }: Bounds) {
  return {
    ...{ ingestConcurrency, importConcurrency },
    ...(insightsConcurrency === undefined ? {} : { insightsConcurrency }),
  };
}
