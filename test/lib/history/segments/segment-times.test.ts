import * as fc from 'fast-check';
import { columnFor } from '../../../../lib/history/segments/byte-planes.ts';
import { offsetsOf, rowsOf, secondsColumn, secondsOf } from '../../../../lib/history/segments/segment-times.ts';

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
