import type { FailureDetails, FailureKind } from '../../../lib/errors.ts';
import type { LiveSegment } from '../../../lib/history/read.ts';
import type { Plan } from '../../../lib/insights/plan.ts';
import type { Partial } from '../../../lib/insights/scan/partial.ts';
import type { ScanMemory } from '../../../lib/insights/scan/scan.ts';

/** What a thread that scans is told of a run, a number. The bytes of segments lie in memory that threads share. */
export type ToThread =
  | { readonly run: number; readonly plan: Plan }
  | { readonly run: number; readonly segments: readonly LiveSegment[] }
  | { readonly run: number; readonly asks: 'result' | 'close' };

/** What it says in the end: the result, or why there is none. */
export type FromThread =
  | { readonly run: number; readonly partial: Partial }
  | { readonly run: number; readonly failure: ThreadFailure };

/** A `Failure` as plain data; without a kind it is a fault of ours. */
export interface ThreadFailure {
  readonly kind: FailureKind | undefined;
  readonly message: string;
  readonly details: FailureDetails;
}

/** What a thread is given when it starts. */
export interface ThreadData {
  readonly decodedBytes: number; // columns that it may keep decoded
  readonly memory: ScanMemory;
}
