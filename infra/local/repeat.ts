/**
 * Does work every so many ms, never twice at once; `failed` gets its errors. Returns a function that stops it: work under
 * way goes on.
 */
export function repeat(every: number, work: () => Promise<unknown>, failed: (error: unknown) => void): () => void {
  let isAtWork = false;
  const timer = setInterval(() => {
    if (isAtWork) return;
    isAtWork = true;
    work()
      .catch(failed)
      .finally(() => {
        isAtWork = false;
      });
  }, every);
  return () => clearInterval(timer);
}
