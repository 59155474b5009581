import * as fc from 'fast-check';
import type { Condition } from '../../../lib/store/condition.ts';
import { type Key, keys } from '../../../lib/store/keys.ts';
import type { BatchedWrite, Item, QueryOptions, Write } from '../../../lib/store/table.ts';

/** One call to a table. */
export type Operation =
  | { readonly get: Key }
  | { readonly batchGet: readonly Key[] }
  | { readonly query: string; readonly options: QueryOptions }
  | { readonly scan: true }
  | { readonly put: Item; readonly when?: Condition; readonly returnItem: boolean }
  | { readonly delete: Key; readonly when?: Condition }
  | { readonly add: Key; readonly amounts: Readonly<Record<string, number>>; readonly ttl: number }
  | { readonly transact: readonly Write[] }
  | { readonly batchWrite: readonly BatchedWrite[] };

/** Only a few keys, so that operations meet; UTF-16 would order some of them differently. */
const LASTING = ['a', 'ä#1', 'p'.repeat(2048)];
const PARTITIONS = [...LASTING, keys.lock('a').pk]; // a data folder has locks in a file of their own
const SORTS = ['k', 'k#1', 'k#\uffee', 'k#\u{1f600}', 'l\0', 's'.repeat(1024)];
const BAD_KEYS: readonly Key[] = [
  { pk: '', sk: 'k' },
  { pk: 'a', sk: '' },
  { pk: 'p'.repeat(2049), sk: 'k' },
  { pk: 'a', sk: 'ä'.repeat(513) },
];
const NAMES = ['n', 'text', 'größe', 'm', 'owner'];

const keyOf = (partitions: readonly string[]): fc.Arbitrary<Key> =>
  fc.oneof(
    {
      arbitrary: fc.record({ pk: fc.constantFrom(...partitions), sk: fc.constantFrom(...SORTS) }),
      weight: 30,
    },
    { arbitrary: fc.constantFrom(...BAD_KEYS), weight: 1 },
  );
const anyKey = keyOf(PARTITIONS);
const lastingKey = keyOf(LASTING); // no transaction writes both

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.nat(5_000).map((length) => 'ü'.repeat(length)),
);
const number = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ min: -1e15, max: 1e15, noNaN: true }).filter((n) => n === 0 || Math.abs(n) > 1e-120),
  fc.constantFrom(0, -0, 1e-7, 123e-30, 100, 1e15),
);
const { value: plain } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }),
    fc.uint8Array({ maxLength: 3000 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 3 }),
  ),
}));

const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
/** Values at and over the limits of a table. */
const odd = fc.constantFrom<unknown>(
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 53,
  1e-131,
  10n ** 38n + 1n,
  10n ** 125n,
  10n ** 126n,
  '\ud800',
  new Date(0),
  new Set(['a']),
  () => 1,
  deep(32),
  deep(31),
  undefined,
  'x'.repeat(400 * 1024 - 20),
  'x'.repeat(400 * 1024),
);
const value = fc.oneof({ arbitrary: plain, weight: 40 }, { arbitrary: odd, weight: 1 });
const attributes = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 4 });
const itemAt = (at: fc.Arbitrary<Key>): fc.Arbitrary<Item> =>
  fc.tuple(at, attributes).map(([key, more]) => ({ ...more, ...key }));
const item = itemAt(anyKey);

const simple: fc.Arbitrary<Condition> = fc.oneof(
  fc.constant({ absent: true } as const),
  fc.constant({ present: true } as const),
  fc.record({ lacks: fc.constantFrom(...NAMES) }),
  fc.record({ attribute: fc.constantFrom(...NAMES), equals: fc.oneof(fc.nat(2), fc.constantFrom('a', 'b')) }),
  fc.record({ attribute: fc.constantFrom(...NAMES), atMost: fc.integer({ min: -2, max: 1000 }) }),
);
const condition = fc.oneof(
  simple,
  fc.array(simple, { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
);
const when = fc.option(condition, { nil: undefined }).map((given) => (given ? { when: given } : {}));

const write: fc.Arbitrary<Write> = fc.oneof(
  fc.tuple(itemAt(lastingKey), when).map(([put, more]) => ({ put, ...more })),
  fc.tuple(lastingKey, when).map(([at, more]) => ({ delete: at, ...more })),
  fc.record({ check: lastingKey, when: condition }),
);
const batched: fc.Arbitrary<BatchedWrite> = fc.oneof(fc.record({ put: item }), fc.record({ delete: anyKey }));

const sort = fc.constantFrom(...SORTS, 'a', 'k#2', 'z');

const projection = fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 });
const OPTIONAL: { requiredKeys: [] } = { requiredKeys: [] };

/** A query by a prefix, or between two sort keys. */
const anyRange = (withPrefix: boolean): fc.Arbitrary<QueryOptions> =>
  withPrefix
    ? fc.record({ prefix: fc.constantFrom('k', 'k#', 'none') }, OPTIONAL)
    : fc.record({ from: sort, to: sort }, OPTIONAL);

const anyQuery = (withPrefix: boolean): fc.Arbitrary<Operation> =>
  fc.record({
    query: fc.constantFrom(...PARTITIONS),
    options: fc
      .tuple(
        anyRange(withPrefix),
        fc.record(
          { descending: fc.boolean(), limit: fc.integer({ min: 1, max: 4 }), attributes: projection },
          OPTIONAL,
        ),
      )
      .map(([range, way]): QueryOptions => ({ ...range, ...way })),
  });

/** Amounts to add: of attributes that no put sets to anything else. */
const amounts = fc.dictionary(fc.constantFrom('count', 'sum'), fc.integer({ min: -3, max: 1000 }), {
  minKeys: 1,
  maxKeys: 2,
});

/** Any call to a table. */
export const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ get: anyKey }),
  fc.record({ batchGet: fc.array(anyKey, { maxLength: 8 }) }),
  anyQuery(true),
  anyQuery(false),
  fc.constant({ scan: true } as const),
  fc.tuple(item, when, fc.boolean()).map(([put, more, returnItem]) => ({ put, ...more, returnItem })),
  fc.tuple(anyKey, when).map(([at, more]) => ({ delete: at, ...more })),
  fc.tuple(anyKey, amounts, fc.nat(9)).map(([add, by, ttl]) => ({ add, amounts: by, ttl })),
  fc.array(write, { maxLength: 5 }).map((transact) => ({ transact })),
  fc.array(batched, { maxLength: 6 }).map((batchWrite) => ({ batchWrite })),
);
