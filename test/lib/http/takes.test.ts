import fc from 'fast-check';
import { Failure, Faults } from '../../../lib/errors.ts';
import type { Detail } from '../../../lib/fault-details.ts';
import { parseFields } from '../../../lib/http/fields.ts';
import { readCaseRequest } from '../../../lib/insights/cases/case-request.ts';
import { readRequest } from '../../../lib/insights/request.ts';
import { routes } from '../../../lib/routes.ts';
import { tries } from '../../support/generators/depth.ts';

const SITE = { timeZone: 'UTC', weekStart: 'monday' } as const;
const time = { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z', window_size: 'day' };

/** The details of the 422 that some reading ends with; none if it succeeds. */
function detailsOf(read: (faults: Faults) => unknown): readonly Detail[] {
  const faults = new Faults();
  try {
    read(faults);
    faults.check();
  } catch (error) {
    if (error instanceof Failure && error.kind === 'invalid') return error.details ?? [];
    throw error;
  }
  return [];
}

const values = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('', ' ', '0', 'x', 'no', '2026-13-45', '\ud800', 'x'.repeat(70_000), [''], [0], [1, 'x'], {}, null),
);
const says = ({ code, message }: Detail): boolean =>
  code === 'blank'
    ? /it takes |has 1 to /.test(message)
    : !/not allowed\.$|^\S+ is too long\.$|is ".*; it takes a text\.$/.test(message);

describe('a detail', () => {
  const fields = routes.flatMap(({ name, body, query }) =>
    Object.entries({ ...query, ...body }).map(([field, schema]) => [`${name}: ${field}`, schema] as const),
  );

  it.each(fields)('says what is taken of %s, whatever was sent', (_, schema) => {
    fc.assert(
      fc.property(values, (value) => {
        for (const detail of detailsOf((faults) => parseFields({ schema }, { schema: value }, [], faults)))
          expect([detail, says(detail)]).toEqual([detail, true]);
      }),
      { numRuns: tries(24), seed: 3 },
    );
  });

  it('says what is taken at every place of a report and of the cases behind it', () => {
    const places = [
      ...['fields', 'time', 'dimension1', 'dimension1_values', 'dimension2', 'filters', 'totals', 'hours'],
      ...['sort', 'direction', 'per_page', 'cursor'],
      ...['min', 'max', 'window_size', 'time_zone', 'last', 'unit', 'including_current', 'compare'].map(
        (name) => `time.${name}`,
      ),
    ];
    const change = fc.tuple(fc.constantFrom(...places), values);
    const good = { fields: ['case_creates'], time, dimension1: 'channel', dimension1_values: [1] };
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const body: Record<string, unknown> = { ...good };
        for (const [place, value] of changes) {
          if (place.startsWith('time.')) body.time = { ...Object(body.time), [place.slice(5)]: value };
          else body[place] = value;
        }
        for (const read of [readRequest, readCaseRequest]) {
          for (const detail of detailsOf((faults) => read(body, SITE, 0, faults)))
            expect([detail, says(detail)]).toEqual([detail, true]);
        }
      }),
      { numRuns: tries(2_000), seed: 5 },
    );
  });

  it.each<[unknown, string]>([
    [{ fields: 'case_creates', time }, 'fields is "case_creates"; it takes a list of fields such as ["case_creates"].'],
    [
      { fields: ['case_creates'], time: { ...time, min: 'yesterday' } },
      'time.min is "yesterday"; it takes a time in ISO 8601 with its offset, such as 2026-01-31T09:00:00Z.',
    ],
    [{ fields: ['case_creates'], time, totals: 'true' }, 'totals is "true"; it takes true or false.'],
    [
      { fields: ['case_creates'], time: { last: 0, unit: 'day', window_size: 'day' } },
      'time.last is 0; it takes a whole number from 1 to 100000.',
    ],
  ])('of %j is a sentence', (body, message) => {
    const details = detailsOf((faults) => readRequest(Object(body), SITE, 0, faults));
    expect(details).toEqual([expect.objectContaining({ code: 'invalid', message })]);
  });
});
