import { type DimensionName, dimensionNamed, INSTANT_MEMBERS, type InstantPart } from '../dimensions.ts';
import { SAMPLES_ADD_UP } from '../durations.ts';
import { ADDS_UP } from '../measures.ts';
import type { Plan } from '../plan.ts';
import type { Member } from '../reference.ts';
import { NO_DIMENSIONS } from '../request.ts';
import { type Clock, clockOf } from './clock.ts';
import type { Partial } from './partial.ts';

/** A report by hour of day or weekday, planned as a report by hours without dimensions. */
export interface ByHours {
  readonly plan: Plan;
  /**
   * Moves the cells of the hours to the members of the report; several cells may then have the same members and window.
   */
  shown(found: Partial): Partial;
}

/**
 * Plans a report whose dimensions are all of instants as a report by hours, so that only the window of each fact must
 * be found: this takes a quarter of the time (`npm run bench -- reports --extended`). Undefined if the report has other
 * dimensions, if some measure cannot be added over hours, or if there are more than `most` hours.
 */
export function byHours(plan: Plan, most: number): ByHours | undefined {
  const { request, windows, range } = plan;
  const { dimension1, dimension2 } = request;
  if ((dimension1 === null && dimension2 === null) || !addsUp(plan)) return undefined;
  const [one, two] = [partOf(dimension1), partOf(dimension2)];
  if (one === undefined || two === undefined) return undefined;
  const clock = clockOf(request.time.zone, windows, range);
  if (clock.windows.length > most) return undefined;
  const unsplit = { ...request, ...NO_DIMENSIONS };
  return {
    plan: { ...plan, request: unsplit, windows: clock.pieces },
    shown: (found) => ({
      ...found,
      members: [membersOf(one), membersOf(two)],
      first: found.windows.map((hour) => memberAt(clock, one, hour)),
      second: found.windows.map((hour) => memberAt(clock, two, hour)),
      windows: found.windows.map((hour) => clock.windows[hour]!),
    }),
  };
}

const addsUp = ({ measures, samples }: Plan): boolean =>
  [...measures].every((measure) => ADDS_UP.has(measure)) &&
  [...samples].every((duration) => SAMPLES_ADD_UP.has(duration));

/** The part of instants that a dimension shows; null without a dimension, undefined for one that is not of instants. */
function partOf(name: DimensionName | null): InstantPart | null | undefined {
  if (name === null) return null;
  const { members } = dimensionNamed(name);
  return members === 'hour' || members === 'weekday' ? members : undefined;
}

const membersOf = (part: InstantPart | null): readonly (Member | null)[] =>
  part === null ? [null] : INSTANT_MEMBERS[part];

const memberAt = ({ parts }: Clock, part: InstantPart | null, hour: number): number =>
  part === null ? 0 : parts[part][hour]! - 1;
