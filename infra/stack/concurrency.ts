import { type Deployment, isDisposable } from './context.ts';
import { eachFunction, entryOf, type FunctionName } from './functions.ts';

const UNRESERVED = 100; // calls at once that AWS keeps free in an account
const INSIGHTS = 50; // reports at once, unless the context says otherwise
const USUAL_LIMIT = 1000; // calls at once of an account, unless the context says otherwise

/** The calls at once that a function may make, by context and its entry; 0: no bound. */
function wish(name: FunctionName, deployment: Deployment): number {
  const { atOnce } = entryOf(name);
  return typeof atOnce === 'number' ? atOnce : (deployment[atOnce] ?? INSIGHTS);
}

/** The number of calls at once that all functions of a stage that is kept reserve together. */
export const reservedTogether = (deployment: Deployment): number =>
  Object.values(eachFunction(deployment, (name) => wish(name, deployment))).reduce((sum, calls) => sum + calls, 0);

/** Whether the account can reserve as much beside what it must keep free. */
export const isReserved = (deployment: Deployment): boolean =>
  !isDisposable(deployment) &&
  reservedTogether(deployment) <= (deployment.accountConcurrency ?? USUAL_LIMIT) - UNRESERVED;

/**
 * The reserved concurrency of a function: it always finds as much, and never takes more from others. None in stages that
 * may be destroyed, which must take nothing from those that are kept, and none in an account that is too small.
 */
export const reserved = (name: FunctionName, deployment: Deployment): { reservedConcurrentExecutions?: number } => {
  const calls = wish(name, deployment);
  return isReserved(deployment) && calls > 0 ? { reservedConcurrentExecutions: calls } : {};
};
