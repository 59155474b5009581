import type { Mutable } from '../../typed-object.ts';
import { secondOf } from './case-history.ts';
import type { CaseEvent } from './event.ts';
import type { Clocks, Wait } from './waits.ts';

/** Computes the clocks of a case from its events, given in the case's order (docs/insights.md, Waits). */
export interface ClockWatch {
  message(event: CaseEvent): void; // an inbound interaction
  reply(second: number): void; // an outbound interaction that is not automated
  beginDone(second: number): void; // the case was created resolved or closed, in this second
  resolve(second: number): void;
  reopen(): void;
  deletion(second: number): void;
  clocks(): Clocks;
}

/** The first resolve and the first deletion since a clock began. */
interface Stops {
  resolve: number; // s
  deletion: number; // s, or that of the beginning if the clock is void from it
}

const noStops = (): Stops => ({ resolve: Number.POSITIVE_INFINITY, deletion: Number.POSITIVE_INFINITY });

/**
 * Returns the second of the first stop before a reply, or −1. Within one second a reply counts as earlier than a
 * resolve, whatever their order.
 */
function stopBefore({ resolve, deletion }: Stops, reply: number): number {
  const stop = Math.min(resolve < reply ? resolve : Number.POSITIVE_INFINITY, deletion);
  return stop === Number.POSITIVE_INFINITY ? -1 : stop;
}

/** Starts to watch a case, before its first event. */
export function watchClocks(): ClockWatch {
  const waits: Mutable<Wait>[] = [];
  let waiting: Stops | undefined; // stops of the current wait; undefined: the customer is not waiting
  let replies = 0;
  const sinceCreation = noStops();
  let responseStop = -1;
  let resolutionStop = -1;
  let begunDone = -1; // s, the creation of a case that has been done since; -1 for any other

  /** Voids what waits for a reply: a resolve came first, and nobody knows when. A reply that came counts as before it. */
  function voidWaits(): void {
    if (begunDone < 0) return;
    if (replies === 0) sinceCreation.deletion = begunDone;
    const wait = waits.at(-1);
    if (waiting && wait) waiting.deletion = wait.begin;
  }

  return {
    message(event) {
      if (event.automated || waiting) return;
      waiting = noStops();
      waits.push({ begin: secondOf(event.at), reply: -1, stop: -1 });
    },
    reply(second) {
      if (replies === 0) responseStop = stopBefore(sinceCreation, second);
      const wait = waits.at(-1);
      if (waiting && wait) {
        wait.reply = replies;
        wait.stop = stopBefore(waiting, second);
        waiting = undefined;
      }
      replies += 1;
    },
    beginDone(second) {
      begunDone = second;
      resolutionStop = second;
    },
    reopen() {
      voidWaits();
      begunDone = -1;
    },
    resolve(second) {
      sinceCreation.resolve = Math.min(sinceCreation.resolve, second);
      if (waiting) waiting.resolve = Math.min(waiting.resolve, second);
    },
    deletion(second) {
      if (sinceCreation.resolve === Number.POSITIVE_INFINITY && resolutionStop < 0) resolutionStop = second;
      sinceCreation.deletion = Math.min(sinceCreation.deletion, second);
      if (waiting) waiting.deletion = Math.min(waiting.deletion, second);
    },
    clocks() {
      voidWaits();
      const wait = waits.at(-1);
      if (waiting && wait) wait.stop = stopBefore(waiting, Number.POSITIVE_INFINITY);
      if (replies === 0) responseStop = stopBefore(sinceCreation, Number.POSITIVE_INFINITY);
      return { waits, responseStop, resolutionStop };
    },
  };
}
