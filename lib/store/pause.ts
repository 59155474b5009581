import { setTimeout as sleep } from 'node:timers/promises';

const FIRST = 25; // ms
const LONGEST = 800; // ms

/** Waits before the next try: full jitter over a doubling span, so that two colliding writers do not collide again. */
export function pause(attempt: number): Promise<void> {
  return sleep(Math.random() * Math.min(LONGEST, FIRST * 2 ** attempt));
}
