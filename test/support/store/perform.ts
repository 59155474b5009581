import { Failure } from '../../../lib/errors.ts';
import { ConditionFailed, Refused } from '../../../lib/store/faults.ts';
import { type Item, keyText, type Table } from '../../../lib/store/table.ts';
import { newUsage, type Usage } from '../../../lib/store/usage.ts';
import type { Operation } from './operations.ts';

/** The outcome of a call: its result or its failure, and the capacity that it used. */
export interface Came {
  readonly answer?: unknown;
  readonly failure?: unknown;
  readonly usage: Usage;
}

export async function perform(table: Table, operation: Operation): Promise<Came> {
  const usage = newUsage();
  try {
    return { answer: await call(table.metered(usage), operation), usage };
  } catch (error) {
    return { failure: describeFailure(error), usage };
  }
}

async function call(table: Table, operation: Operation): Promise<unknown> {
  if ('get' in operation) return table.get(operation.get);
  if ('batchGet' in operation) return table.batchGet(operation.batchGet);
  if ('query' in operation) return table.query(operation.query, operation.options);
  if ('scan' in operation) return allItems(table);
  if ('put' in operation) return table.put(operation.put, operation.when, { returnItem: operation.returnItem });
  if ('delete' in operation) return table.delete(operation.delete, operation.when);
  if ('add' in operation) return table.add(operation.add, operation.amounts, operation.ttl);
  return 'transact' in operation ? table.transact(operation.transact) : table.batchWrite(operation.batchWrite);
}

/** Every item, sorted, because a scan has no order. */
export async function allItems(table: Table): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of table.scan()) items.push(...page);
  return items.sort((a, b) => (keyText(a) < keyText(b) ? -1 : 1));
}

/** The failures that callers expect; any other one is a fault of the table. */
function describeFailure(error: unknown): unknown {
  if (error instanceof ConditionFailed) return { failed: error.failed, item: error.item };
  if (error instanceof Refused) return 'refused';
  if (error instanceof Failure) return error.kind;
  return String(error);
}
