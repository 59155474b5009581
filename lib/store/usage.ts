/** The load of a piece of work on the table: round trips and capacity units, as DynamoDB reports them. */
export interface Usage {
  trips: number;
  readUnits: number;
  writeUnits: number;
}

export const newUsage = (): Usage => ({ trips: 0, readUnits: 0, writeUnits: 0 });

interface ConsumedCapacity {
  readonly CapacityUnits?: number | undefined;
  readonly ReadCapacityUnits?: number | undefined;
  readonly WriteCapacityUnits?: number | undefined;
}

export type Consumed = ConsumedCapacity | readonly ConsumedCapacity[] | undefined; // in one answer

/**
 * Adds one answer's capacity to the usage. Only transactions report reads and writes separately; for other calls the
 * caller passes `kind`.
 */
export function addUsage(usage: Usage, kind: 'read' | 'write', consumed: Consumed): void {
  usage.trips += 1;
  for (const part of [consumed ?? []].flat()) {
    const { CapacityUnits = 0, ReadCapacityUnits, WriteCapacityUnits } = part;
    if (ReadCapacityUnits === undefined && WriteCapacityUnits === undefined) {
      if (kind === 'read') usage.readUnits += CapacityUnits;
      else usage.writeUnits += CapacityUnits;
    } else {
      usage.readUnits += ReadCapacityUnits ?? 0;
      usage.writeUnits += WriteCapacityUnits ?? 0;
    }
  }
}
