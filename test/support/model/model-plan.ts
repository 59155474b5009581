import * as fc from 'fast-check';
import type { Role } from '../../../lib/access/roles.ts';
import type { Exchange, SiteModel } from './site-model.ts';

/** The random values of one step; each kind of step uses some of them. */
export const chances = fc.record({
  as: fc.constantFrom<Role>('Administrator', 'Administrator', 'Content Manager', 'Agent'),
  which: fc.nat({ max: 30 }),
  inner: fc.nat({ max: 30 }),
  name: fc.constantFrom('a', 'b', 'Ä 😀', ''),
  description: fc.constantFrom(null, 'd', ''),
  locale: fc.constantFrom('en-US', 'de', 'JA', 'fr'), // the last is not enabled
  flag: fc.boolean(),
  brands: fc.uniqueArray(fc.constantFrom(1, 2, 3), { maxLength: 3 }),
  status: fc.constantFrom('open', 'closed', 'sleeping'), // the last is none
});

type Chances = typeof chances extends fc.Arbitrary<infer C> ? C : never;
/** Takes one kind of step in the model; returns the request to send and the reply to expect. */
export type Plan = (model: SiteModel, chances: Chances, now: number) => Exchange;

const NOT_FOUND = { status: 404, body: { message: 'Resource Not Found' } };
const FORBIDDEN = { status: 403, body: { message: 'Forbidden' } };
/** The reply to a successful delete. */
export const GONE = { status: 204, body: undefined };
const invalid = (errors: object) => ({ status: 422, body: { message: 'Validation Failed', errors } });
/** One of some things or undefined, by a random number. */
export const nth = <T>(all: readonly T[], place: number): T | undefined => all[place % (all.length + 1)];
/** The faults of a name in a request. */
export const nameFaults = (name: string) => (name === '' ? { name: ['blank'] } : {});

/** Plans a write: 403 for an Agent, 404 for an unknown resource, 422 for faults; otherwise `act` changes the model. */
export function write(
  request: Omit<Exchange, 'expected'>,
  found: boolean,
  faults: object,
  act: () => Exchange['expected'],
): Exchange {
  if (request.as === 'Agent') return { ...request, expected: FORBIDDEN };
  if (!found) return { ...request, expected: NOT_FOUND };
  return { ...request, expected: Object.keys(faults).length > 0 ? invalid(faults) : act() };
}

/** Sets values; returns whether any of them was new. */
export function change<T extends object>(target: T, values: Partial<T>): boolean {
  const changed = Object.entries(values).some(([key, value]) => !Object.is(target[key as keyof T], value));
  Object.assign(target, values);
  return changed;
}
