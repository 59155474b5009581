const LONGEST = 60_000; // ms, on a busy machine
const PAUSE = 50; // ms

/** Reads a value until `check` throws no longer; throws as `check` did last when a minute has passed. */
export async function eventually<T>(read: () => T | Promise<T>, check: (value: Awaited<T>) => void): Promise<void> {
  const end = performance.now() + LONGEST;
  for (;;) {
    const value = await read();
    try {
      return check(value);
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await new Promise((resume) => setTimeout(resume, PAUSE));
  }
}
