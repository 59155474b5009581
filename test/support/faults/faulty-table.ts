import type { Table } from '../../../lib/store/table.ts';

/** Thrown in place of the death of a process. */
export class Killed extends Error {}

/** Wraps calls so that they do something first; if that throws, the call is not made. */
const preceded =
  (first: () => void | Promise<void>) =>
  <A extends unknown[], R>(call: (...given: A) => Promise<R>) =>
  async (...given: A): Promise<R> => {
    await first();
    return call(...given);
  };

/**
 * A table whose process dies: the first `writes` writes succeed, and every later call fails, reads too. A batch may be
 * cut in the middle; each of its items is a write. A transaction is one write.
 */
export function dyingTable(table: Table, writes: number): Table {
  let left = writes;
  const alive = (): void => {
    if (left < 0) throw new Killed();
  };
  const reads = preceded(alive);
  const writesOne = preceded(() => {
    left -= 1;
    alive();
  });
  return {
    ...table,
    metered: () => dyingTable(table, left),
    get: reads(table.get),
    batchGet: reads(table.batchGet),
    query: reads(table.query),
    put: writesOne(table.put),
    delete: writesOne(table.delete),
    add: writesOne(table.add),
    transact: writesOne(table.transact),
    async batchWrite(all) {
      alive();
      await table.batchWrite(all.slice(0, Math.max(0, left)));
      left -= all.length;
      alive();
    },
  };
}

/** A table with random delays before and after each call, so that concurrent work interleaves in many ways. */
export function slowTable(table: Table, random: () => number): Table {
  const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, random() * 6));
  const slow =
    <A extends unknown[], R>(call: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      await wait();
      const result = await call(...given);
      await wait();
      return result;
    };
  return {
    ...table,
    metered: () => slowTable(table, random),
    get: slow(table.get),
    batchGet: slow(table.batchGet),
    query: slow(table.query),
    put: slow(table.put),
    delete: slow(table.delete),
    add: slow(table.add),
    transact: slow(table.transact),
    batchWrite: slow(table.batchWrite),
  };
}

/** A table that calls `before` ahead of each write. */
export function watchedTable(table: Table, before: () => Promise<void>): Table {
  const watched = preceded(before);
  return {
    ...table,
    metered: () => watchedTable(table, before),
    put: watched(table.put),
    delete: watched(table.delete),
    add: watched(table.add),
    transact: watched(table.transact),
    batchWrite: watched(table.batchWrite),
  };
}

/** A table that calls `before` ahead of each read of several items. */
export const watchedReads = (table: Table, before: () => Promise<void>): Table => ({
  ...table,
  batchGet: preceded(before)(table.batchGet),
});

/** Thrown for a write that succeeded but whose reply was lost. */
class NoAnswer extends Error {}

/** A table whose write number `place` (from 0) succeeds but throws `NoAnswer`; all other calls are normal. */
export function deafTable(table: Table, place: number): Table {
  let writes = -1;
  const deaf =
    <A extends unknown[], R>(call: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      writes += 1;
      const answer = writes === place ? new NoAnswer() : undefined;
      const result = await call(...given);
      if (answer) throw answer;
      return result;
    };
  return {
    ...table,
    put: deaf(table.put),
    delete: deaf(table.delete),
    add: deaf(table.add),
    transact: deaf(table.transact),
    batchWrite: deaf(table.batchWrite),
  };
}

/** Whether work ended with one of these faults. */
export const strikes = (work: () => Promise<unknown>): Promise<boolean> =>
  work().then(
    () => false,
    (error: unknown) => {
      if (error instanceof Killed || error instanceof NoAnswer) return true;
      throw error;
    },
  );
