/** ms by which the clocks of two machines may differ. */
const SKEW = 1_000;

/**
 * Whether a stored instant is later than any that is written now: a clock was ahead when it was written. Wherever such an
 * instant says from when on something is done, it is void, else that would not be done for as long as the clock was ahead.
 * `longest`: ms by which an instant may lie ahead rightly, as the end of a wait does. All in epoch ms.
 */
export const isAhead = (instant: number, now: number, longest = 0): boolean => instant > now + longest + SKEW;
