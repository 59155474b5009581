import { notFound } from '../lib/errors.ts';
import type { Table } from '../lib/store/table.ts';
import { newUsage } from '../lib/store/usage.ts';

const refuse = async (): Promise<never> => {
  throw notFound('table of this function');
};

/** A table without items, which takes none: for a function that needs no table, and no client to reach one. */
export const noTable: Table = {
  name: 'none',
  usage: newUsage(),
  metered: () => noTable,
  get: async () => undefined,
  batchGet: async (keys) => keys.map(() => undefined),
  query: async () => [],
  async *scan() {},
  ...{ put: refuse, delete: refuse, add: refuse, transact: refuse, batchWrite: refuse },
};
