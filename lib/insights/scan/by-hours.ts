import { type DimensionName, dimensionNamed, INSTANT_MEMBERS, type InstantPart } from '../dimensions.ts';
import { SAMPLES_ADD_UP } from '../durations.ts';
import { ADDS_UP } from '../measures.ts';
import type { Plan } from '../plan.ts';
import type { Member } from '../reference.ts';
import { NO_DIMENSIONS } from '../request.ts';
import { type Clock, clockOf } from './clock.ts';
import type { Partial } from './partial.ts';

/** A report by what clocks show, as one by hours without dimensions. */
export interface ByHours {
  readonly plan: Plan;
  /** Puts what was found by hour into the cells of what the clock shows in that hour: several hours into one cell. */
  shown(found: Partial): Partial;
}

/**
 * Makes a report whose dimensions are all of instants one by hours: so only the window of a fact has to be found, which takes a
 * quarter of the time (`npm run bench -- reports --extended`). Undefined where other dimensions are asked for, where what counts
 * in two hours counts once in both, and where there are more than `most` hours.
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
      first: found.windows.map((hour) => placeOf(clock, one, hour)),
      second: found.windows.map((hour) => placeOf(clock, two, hour)),
      windows: found.windows.map((hour) => clock.windows[hour]!),
    }),
  };
}

const addsUp = ({ measures, samples }: Plan): boolean =>
  [...measures].every((measure) => ADDS_UP.has(measure)) &&
  [...samples].every((duration) => SAMPLES_ADD_UP.has(duration));

/** The part of an instant that a dimension has as members; null without a dimension, undefined where they are something else. */
function partOf(name: DimensionName | null): InstantPart | null | undefined {
  if (name === null) return null;
  const { members } = dimensionNamed(name);
  return members === 'hour' || members === 'weekday' ? members : undefined;
}

const membersOf = (part: InstantPart | null): readonly (Member | null)[] =>
  part === null ? [null] : INSTANT_MEMBERS[part];

const placeOf = ({ parts }: Clock, part: InstantPart | null, hour: number): number =>
  part === null ? 0 : parts[part][hour]! - 1;
