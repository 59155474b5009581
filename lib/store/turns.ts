/** Runs tasks with the same name one after another, within this process. */
export interface Turns {
  take<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take(name, work) {
      const before = last.get(name);
      const own = (before ?? Promise.resolve()).then(work, work);
      last.set(name, own);
      try {
        return await own;
      } finally {
        if (last.get(name) === own) last.delete(name);
      }
    },
  };
}
