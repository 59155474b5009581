/** Counts what holds and what does not, and says so while it goes. */
export interface Checks {
  passed: number;
  failed: number;
  skipped: number;
  readonly failures: string[]; // titles with the beginning of the reason, told once more at the end
  /** Does a step and prints how long it took; one that throws is a failure and gives undefined. */
  step<T>(title: string, work: () => Promise<T>): Promise<T | undefined>;
  skip(title: string, why: string): void;
  /** Prints what failed and the totals of this suite; the process ends with 1 when anything failed. */
  conclude(suite: string): void;
}

const MOST_TOLD = 900; // characters of a reason

export function createChecks(print: (line: string) => void, clock: () => number): Checks {
  const begunAll = clock();
  const checks: Checks = {
    passed: 0,
    failed: 0,
    skipped: 0,
    failures: [],
    async step(title, work) {
      const begun = clock();
      const took = () => `${((clock() - begun) / 1000).toFixed(1)} s`;
      try {
        const result = await work();
        checks.passed += 1;
        print(`  ok      ${title} (${took()})`);
        return result;
      } catch (error) {
        checks.failed += 1;
        const text = error instanceof Error ? error.message : String(error);
        checks.failures.push(`${title}: ${text.replace(/\s+/g, ' ').slice(0, MOST_TOLD)}`);
        print(`  FAILED  ${title} (${took()})`);
        print(text.replace(/^/gm, '          '));
        return undefined;
      }
    },
    skip(title, why) {
      checks.skipped += 1;
      print(`  skipped ${title}: ${why}`);
    },
    conclude(suite) {
      print('');
      for (const title of checks.failures) print(`${suite}: FAILED ${title}`);
      const seconds = Math.round((clock() - begunAll) / 1000);
      print(`${suite}: ${checks.passed} passed, ${checks.failed} failed, ${checks.skipped} skipped (${seconds} s)`);
      process.exitCode = checks.failed === 0 ? 0 : 1;
    },
  };
  return checks;
}
