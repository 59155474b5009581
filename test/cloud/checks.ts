/** Counts what holds and what does not, and says so while it goes. */
export interface Checks {
  passed: number;
  failed: number;
  skipped: number;
  /** Does a step and prints how long it took; one that throws is a failure and gives undefined. */
  step<T>(title: string, work: () => Promise<T>): Promise<T | undefined>;
  skip(title: string, why: string): void;
}

export function createChecks(print: (line: string) => void, clock: () => number): Checks {
  const checks: Checks = {
    passed: 0,
    failed: 0,
    skipped: 0,
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
        print(`  FAILED  ${title} (${took()})`);
        const text = error instanceof Error ? error.message : String(error);
        print(text.replace(/^/gm, '          '));
        return undefined;
      }
    },
    skip(title, why) {
      checks.skipped += 1;
      print(`  skipped ${title}: ${why}`);
    },
  };
  return checks;
}
