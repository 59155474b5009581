import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { packBits, ValueReader } from '../../../lib/history/bit-packing.ts';
import { columnFor } from '../../../lib/history/byte-planes.ts';
import { offsetsOf, rowsOf, secondsColumn, secondsOf, secondsOfSome } from '../../../lib/history/segment-times.ts';

const rowsWithParts = fc.array(fc.record({ start: fc.nat(10), deltas: fc.array(fc.nat(1000), { maxLength: 4 }) }), {
  maxLength: 50,
});
const spans = fc.constantFrom(2 ** 20, 2 ** 31 - 1, 2 ** 31, 2 ** 33); // s: integers of 32 bits do for the first two

it('gives every part its row, and every fact the second that its row has come to', () => {
  fc.assert(
    fc.property(rowsWithParts, spans, fc.constantFrom(2 ** 16, 2 ** 31, 2 ** 33), (rows, span, widest) => {
      const starts = secondsColumn(span, rows.length);
      starts.set(rows.map(({ start }) => start));
      const deltas = rows.flatMap((row) => row.deltas);
      const column = columnFor(widest, deltas.length);
      column.set(deltas);
      const counts = Uint8Array.from(rows, (row) => row.deltas.length);
      const of = rowsOf(offsetsOf(counts, rows.length, deltas.length), deltas.length);
      expect(Array.from(of)).toEqual(rows.flatMap((row, place) => row.deltas.map(() => place)));
      expect(Array.from(secondsOf(column, of, starts, span))).toEqual(
        rows.flatMap(({ start, deltas: own }) =>
          own.map((_, place) => own.slice(0, place + 1).reduce((sum, delta) => sum + delta, start)),
        ),
      );
    }),
  );
});

it('gives some facts the seconds that it gives all', () => {
  fc.assert(
    fc.property(rowsWithParts, fc.infiniteStream(fc.boolean()), fc.nat(1_000_000), (rows, chosen, outlier) => {
      const parts = rows.flatMap((row) => row.deltas);
      const deltas = parts.map((delta, place) => (place % 9 === 4 ? delta + outlier : delta));
      const packed = packBits(deltas);
      if (packed === undefined) return;
      const starts = Int32Array.from(rows, ({ start }) => start);
      const counts = Uint8Array.from(rows, (row) => row.deltas.length);
      const offsets = offsetsOf(counts, rows.length, deltas.length);
      const of = rowsOf(offsets, deltas.length);
      const facts = Int32Array.from([...deltas.keys()].filter(() => chosen.next().value));
      const all = secondsOf(Int32Array.from(deltas), of, starts, 2 ** 30);
      const some = secondsOfSome(facts, facts.length, new ValueReader(packed), { offsets, rows: of, starts });
      expect(Array.from(some.subarray(0, facts.length))).toEqual(Array.from(facts, (fact) => all[fact]));
    }),
  );
});
