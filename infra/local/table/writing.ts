import { BATCH_WRITE, chunks, refuseRepeats } from '../../../lib/store/batches.ts';
import { ConditionFailed, Damaged, unavailable } from '../../../lib/store/faults.ts';
import type { Item, Table, Write } from '../../../lib/store/table.ts';
import type { Usage } from '../../../lib/store/usage.ts';
import { transactedUnits, writeUnits } from './capacity.ts';
import { decodeItem, storedSize } from './codec.ts';
import { conditionHolds } from './conditions.ts';
import type { Database } from './database.ts';
import { checkTransaction } from './limits.ts';
import { fileOf, filesOf, type TableFiles } from './locks.ts';
import { type Prepared, prepare, writeWeight } from './prepared.ts';

const GROUP = 8; // batches of 25 in one commit

/** The stored item under the key of a write, decoded only for a condition, and its size in bytes. */
interface StoredItem {
  readonly item: Item | undefined;
  readonly size: number;
}

/**
 * The writes of a table. Each resolves after its commit, which is synced to the disk unless it is a lock's. If `hasRoom`
 * returns false, a write throws `unavailable`, save a lock's: their file uses its pages again, and reports need them.
 */
export function writesOf(
  files: TableFiles,
  hasRoom: () => boolean,
  usage: Usage,
): Pick<Table, 'put' | 'delete' | 'add' | 'transact' | 'batchWrite'> {
  const commit = <T>(database: Database, work: () => T): Promise<T> =>
    committed(database, () => database !== files.items || hasRoom(), work);

  function count(units: number): void {
    usage.trips += 1;
    usage.writeUnits += units;
  }

  async function write(one: Write, returnItem = false): Promise<void> {
    const prepared = prepare(one);
    const database = fileOf(files, prepared.key.pk);
    const units = await commit(database, () => {
      const { item, size } = readStored(database, prepared);
      if (!conditionHolds(prepared.when, item)) throw new ConditionFailed([0], returnItem ? item : undefined);
      apply(database, prepared);
      return writeUnits(size, prepared.encoded?.size ?? 0);
    });
    count(units);
  }

  return {
    put: (item, when, { returnItem } = {}) => write({ put: item, when }, returnItem),

    delete: (key, when) => write({ delete: key, when }),

    async add(key, amounts, ttl) {
      const { keyBytes } = prepare({ put: { ...key, ...amounts, ttl } });
      const database = fileOf(files, key.pk);
      const { item, units } = await commit(database, () => {
        const stored = database.root.getBinary(keyBytes);
        const after = added(stored ? decodeItem(key, keyBytes, stored) : { ...key }, amounts, ttl);
        const prepared = prepare({ put: after });
        apply(database, prepared);
        return { item: after, units: writeUnits(storedSize(stored), prepared.encoded?.size ?? 0) };
      });
      count(units);
      return item;
    },

    async transact(writes) {
      const prepared = writes.map(prepare);
      refuseRepeats(writes);
      checkTransaction(prepared.map(writeWeight));
      const [database, other] = new Set(prepared.map(({ key }) => fileOf(files, key.pk)));
      if (database === undefined || other) throw new Error('no transaction writes locks and what lasts');
      count(await commit(database, () => transact(database, prepared)));
    },

    async batchWrite(writes) {
      const batches = chunks(writes, BATCH_WRITE);
      for (const batch of batches) refuseRepeats(batch);
      const prepared = batches.map((batch) => batch.map(prepare));
      for (const group of chunks(prepared, GROUP)) {
        for (const database of filesOf(files)) {
          const mine = group.flat().filter(({ key }) => fileOf(files, key.pk) === database);
          if (mine.length === 0) continue;
          usage.writeUnits += await commit(database, () => writeAll(database, mine));
        }
        usage.trips += group.length;
      }
    },
  };
}

/** An item after an addition; `item` may be a key alone. */
function added({ pk, sk, ...attributes }: Item, amounts: Readonly<Record<string, number>>, ttl: number): Item {
  const sums = Object.entries(amounts).map(([name, by]) => [name, Number(attributes[name] ?? 0) + by]);
  return { pk, sk, ...attributes, ...Object.fromEntries(sums), ttl };
}

/** The cause of a write that fails because there is no room for it. */
export const DISK_FULL = 'the disk of the data folder is full';

/** Does work in a transaction. The work must throw before its first write or not at all. */
async function committed<T>(database: Database, hasRoom: () => boolean, work: () => T): Promise<T> {
  if (!hasRoom()) throw unavailable(new Error(DISK_FULL));
  try {
    return await database.commit(work);
  } catch (error) {
    if (error instanceof ConditionFailed || error instanceof Damaged) throw error;
    throw unavailable(error);
  }
}

function readStored(database: Database, { key, keyBytes, when }: Prepared): StoredItem {
  const stored = database.root.getBinary(keyBytes);
  return { item: stored && when && decodeItem(key, keyBytes, stored), size: storedSize(stored) };
}

function apply(database: Database, { kind, keyBytes, encoded }: Prepared): void {
  if (encoded) database.root.put(keyBytes, encoded.bytes);
  else if (kind === 'delete') database.root.remove(keyBytes);
}

/** Checks all conditions, then does all writes; returns the units. */
function transact(database: Database, prepared: readonly Prepared[]): number {
  const stored = prepared.map((one) => readStored(database, one));
  const failed = prepared.flatMap(({ when }, index) => (conditionHolds(when, stored[index]?.item) ? [] : [index]));
  if (failed.length > 0) throw new ConditionFailed(failed);
  for (const one of prepared) apply(database, one);
  const units = prepared.map(({ encoded }, index) => transactedUnits(stored[index]?.size ?? 0, encoded?.size ?? 0));
  return units.reduce((sum, one) => sum + one, 0);
}

/** Makes all writes; returns the units. */
function writeAll(database: Database, writes: readonly Prepared[]): number {
  let units = 0;
  for (const write of writes) {
    units += writeUnits(readStored(database, write).size, write.encoded?.size ?? 0);
    apply(database, write);
  }
  return units;
}
