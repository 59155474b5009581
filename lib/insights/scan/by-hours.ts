import { INSTANT_MEMBERS, type InstantPart } from '../dimensions.ts';
import { SAMPLES_ADD_UP } from '../durations.ts';
import { ADDS_UP } from '../measures.ts';
import type { Plan } from '../plan.ts';
import type { Member } from '../reference.ts';
import { NO_DIMENSIONS } from '../request.ts';
import { type Clock, clockOf, instantPartOf } from './clock.ts';
import type { Partial } from './partial.ts';

/** A report by hour of day or weekday, planned as a report by hours or days without dimensions. */
export interface ByHours {
  readonly plan: Plan;
  /**
   * Moves the cells of the hours or days to the members of the report; several cells may then have the same members and
   * window.
   */
  shown(found: Partial): Partial;
}

/**
 * Plans a report whose dimensions are all of instants as a report by hours or days, so that only the window of each
 * fact must be found: this takes a quarter of the time (`npm run bench -- reports --extended`). Undefined if the report
 * has other dimensions, if some measure cannot be added over hours, or if there are more than `most` hours or days.
 */
export function byHours(plan: Plan, most: number): ByHours | undefined {
  const { request } = plan;
  const [one, two] = [instantPartOf(request.dimension1), instantPartOf(request.dimension2)];
  if (one === undefined || two === undefined || !addsUp(plan)) return undefined;
  const clock = clockOf(plan);
  if (clock === undefined || clock.windows.length > most) return undefined;
  const unsplit = { ...request, ...NO_DIMENSIONS };
  return {
    plan: { ...plan, request: unsplit, windows: clock.pieces },
    shown: (found) => ({
      ...found,
      members: [membersOf(one), membersOf(two)],
      first: found.windows.map((piece) => memberAt(clock, one, piece)),
      second: found.windows.map((piece) => memberAt(clock, two, piece)),
      windows: found.windows.map((piece) => clock.windows[piece]!),
    }),
  };
}

const addsUp = ({ measures, samples }: Plan): boolean =>
  [...measures].every((measure) => ADDS_UP.has(measure)) &&
  [...samples].every((duration) => SAMPLES_ADD_UP.has(duration));

const membersOf = (part: InstantPart | null): readonly (Member | null)[] =>
  part === null ? [null] : INSTANT_MEMBERS[part];

const memberAt = ({ parts }: Clock, part: InstantPart | null, piece: number): number =>
  part === null ? 0 : parts[part][piece]! - 1;
