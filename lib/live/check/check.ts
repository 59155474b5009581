import type { CaseEvent } from '../../history/cases/event.ts';
import { measureCase } from '../../history/cases/measures.ts';
import type { Line } from '../call.ts';

/** What is compared; `case`: that the case is here at all. */
export const COMPARED = ['case', 'first_reply', 'resolution', 'reopens', 'replies', 'parts'] as const;
type ComparedMeasure = (typeof COMPARED)[number];

/** What the events of a case show of a difference. */
export const REASONS = [
  'rounding',
  'schedule',
  'merge',
  'agent_created',
  'automated',
  'not_told',
  'before_since',
  'moving',
] as const;
export type Reason = (typeof REASONS)[number];

/** A help desk's own figures of a case; durations in its unit. What is absent or null is not compared. */
export type Figures = Readonly<Partial<Record<ComparedMeasure, number | null>>>;

/** A measure of a case that differs; durations in the help desk's unit. */
export interface Difference {
  readonly measure: ComparedMeasure;
  readonly ours: number | null;
  readonly theirs: number | null;
}

/** How a help desk measures cases. */
export interface VendorCheck {
  readonly unit: 1 | 60; // s, of its durations
  readonly resolution: 'first' | 'last'; // until which solve it measures
  readonly isPart?: RegExp; // what `parts` counts: the different matches in ids of events
  /** Its own figures of a case; undefined if it is not there. Throws `DeskTrouble`. */
  readonly figures: (line: Line, id: string, account: number | undefined) => Promise<Figures | undefined>;
  /** What the events show of a difference, beside what is asked of all help desks. */
  readonly explain?: (difference: Difference, events: readonly CaseEvent[]) => Reason | undefined;
}

const MICROS = 1_000_000; // in a second
const DURATIONS: ReadonlySet<ComparedMeasure> = new Set(['first_reply', 'resolution']);

/** Our figures of a case; durations in the help desk's unit, not rounded. */
function figuresOf(id: string, events: readonly CaseEvent[], { unit, resolution, isPart }: VendorCheck) {
  const { firstReply, firstResolve, lastResolve, reopens, replies } = measureCase(id, events);
  const resolve = resolution === 'first' ? firstResolve : lastResolve;
  const parts = new Set(events.flatMap((event) => (isPart === undefined ? [] : (isPart.exec(event.id)?.[0] ?? []))));
  return {
    case: events.length === 0 ? 0 : 1,
    first_reply: firstReply === null ? null : firstReply / unit,
    resolution: resolve === null ? null : resolve / unit,
    reopens,
    replies,
    parts: parts.size,
  };
}

const whole = (value: number | null): number | null => (value === null ? null : Math.floor(value));

/** The measures in which a case differs from the help desk's figures: each rounded down. */
export function differencesOf(
  id: string,
  events: readonly CaseEvent[],
  theirs: Figures,
  check: VendorCheck,
): Difference[] {
  if (events.length === 0) return [{ measure: 'case', ours: 0, theirs: 1 }];
  const ours = figuresOf(id, events, check);
  return COMPARED.flatMap((measure) => {
    const their = theirs[measure] ?? null;
    if (their === null || whole(ours[measure]) === whole(their)) return [];
    return [{ measure, ours: ours[measure], theirs: their }];
  });
}

/** What the case's own events show of a difference; null: nothing. */
export function explainDifference(
  id: string,
  difference: Difference,
  events: readonly CaseEvent[],
  check: VendorCheck,
): Reason | null {
  const { measure, ours, theirs } = difference;
  if (DURATIONS.has(measure) && ours !== null && theirs !== null && Math.abs(ours - theirs) < 1) return 'rounding';
  const shown = check.explain?.(difference, events);
  if (shown !== undefined) return shown;
  /** Whether the figures agree once some events are read otherwise. */
  const agrees = (read: (event: CaseEvent) => CaseEvent | undefined): boolean => {
    const other = events.flatMap((event) => read(event) ?? []);
    return whole(figuresOf(id, other, check)[measure]) === whole(theirs);
  };
  if (agrees(withoutMachine)) return 'automated';
  const created = events.find(({ type }) => type === 'case.created');
  if (created?.agent !== undefined && agrees((event) => (isOpening(event, created.at) ? undefined : event)))
    return 'agent_created';
  return null;
}

/** A machine's answer as if an agent had written it. */
function withoutMachine(event: CaseEvent): CaseEvent {
  if (event.type !== 'interaction' || event.direction !== 'outbound') return event;
  const { automated: _, ...said } = event;
  return said;
}

/** Whether an event is the message that a case was created with. */
const isOpening = (event: CaseEvent, created: number): boolean =>
  event.type === 'interaction' &&
  event.direction === 'outbound' &&
  Math.floor(event.at / MICROS) === Math.floor(created / MICROS);
