import type { Task, TaskOutcome } from '../../../lib/http/task.ts';
import type { Level } from '../../../lib/log.ts';
import type { Settings } from '../../../lib/settings.ts';
import type { PlaceOptions } from '../table/place.ts';

/** What the thread is started with: where its table is. */
export interface InsightsPlace {
  readonly options: PlaceOptions;
  readonly settings: Settings;
  readonly folder: string | undefined; // of the table, if it is on this machine; the process has it open
}

/** A message to the thread: a task, or that it has to end. */
export type ToInsightsThread = { readonly id: number; readonly task: Task } | 'end';

/** A message of the thread: the outcome of a task, or a line for the log. */
export type FromInsightsThread =
  | { readonly id: number; readonly outcome: TaskOutcome }
  | {
      readonly level: Level;
      readonly message: string;
      readonly details?: Readonly<Record<string, unknown>> | undefined;
    };
