import { prefersCsv } from '../../../lib/http/accept.ts';

it.each([
  [undefined, false],
  ['*/*', false],
  ['application/json', false],
  ['text/csv', true],
  ['TEXT/CSV; charset=utf-8', true],
  ['text/csv, */*', true],
  ['text/csv;q=0.9, */*;q=0.1', true],
  ['application/json, text/csv', false],
  ['application/json;q=0.5, text/csv', true],
  ['text/csv;q=0, */*', false],
  ['text/html, */*;q=0.8', false],
])('takes Accept: %s as a wish for CSV: %s', (header, wish) => {
  expect(prefersCsv(header)).toBe(wish);
});
