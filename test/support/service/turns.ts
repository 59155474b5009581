/** How often others had a turn while some work lasted. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const others = (): void => {
    if (isOver) return;
    turns += 1;
    setImmediate(others);
  };
  setImmediate(others);
  await work();
  isOver = true;
  return turns;
}

/** Holds the processor for longer than a spell of work may last. */
export function spin(): void {
  const until = performance.now() + 10; // ms
  while (performance.now() < until);
}
