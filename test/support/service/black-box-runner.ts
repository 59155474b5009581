import type { RunnerTask } from 'vitest';
import { VitestTestRunner } from 'vitest/runners';

/** Reports tests as skipped that failed only because credentials alone do not suffice for them (black-box.ts). */
export default class BlackBoxRunner extends VitestTestRunner {
  override onAfterRunTask(test: Parameters<VitestTestRunner['onAfterRunTask']>[0]): void {
    super.onAfterRunTask(test);
    skipWhatNeedsMore(test);
  }

  override async onAfterRunSuite(suite: Parameters<VitestTestRunner['onAfterRunSuite']>[0]): Promise<void> {
    skipWhatNeedsMore(suite); // one whose first hook needs more
    await super.onAfterRunSuite(suite);
  }
}

function skipWhatNeedsMore(task: RunnerTask): void {
  const errors = task.result?.errors ?? [];
  if (errors.length === 0 || !errors.every(({ name }) => name === 'NeedsMore')) return;
  task.mode = 'skip';
  task.result = { state: 'skip' };
}
