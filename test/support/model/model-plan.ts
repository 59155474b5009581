import * as fc from 'fast-check';
import type { Role } from '../../../lib/access/roles.ts';
import type { Exchange, SiteModel } from './site-model.ts';

/** The chances of one step; each kind of step uses what it needs. */
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

export type Chances = typeof chances extends fc.Arbitrary<infer C> ? C : never;
/** What one kind of step sends and must get back; it takes the step in the model. */
export type Plan = (model: SiteModel, chances: Chances, now: number) => Exchange;

const NOT_FOUND = { status: 404, body: { message: 'Resource Not Found' } };
const FORBIDDEN = { status: 403, body: { message: 'Forbidden' } };
/** A delete that succeeded. */
export const GONE = { status: 204, body: undefined };
const invalid = (errors: object) => ({ status: 422, body: { message: 'Validation Failed', errors } });
/** One of some things, or none, as chance will. */
export const nth = <T>(all: readonly T[], place: number): T | undefined => all[place % (all.length + 1)]; // sometimes none
/** What a name that somebody sends may be blamed for. */
export const nameFaults = (name: string) => (name === '' ? { name: ['blank'] } : {});

/** A write: an Agent may do none; nothing is found of what is not there; faults change nothing. */
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

/** Takes new values over; tells whether any of them was one. */
export function change<T extends object>(target: T, values: Partial<T>): boolean {
  const changed = Object.entries(values).some(([key, value]) => !Object.is(target[key as keyof T], value));
  Object.assign(target, values);
  return changed;
}
