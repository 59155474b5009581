import { type ImportSite, startImportSite } from '../../support/service/import-site.ts';

let site: ImportSite;
beforeAll(async () => {
  site = await startImportSite();
});

/** What docs/import.md, Bad input, says of each: the reason of its refusal, or that it counts. */
const at = '2026-01-05T10:00:00Z';
const event = (type: string, id: string, more: object = {}) => ({ type, id, at, case: 9, ...more });
const note = (id: string, when: unknown) => event('note', id, { at: when });

/** The fields over all time, without dimensions. */
const count = async (...fields: string[]): Promise<unknown[]> => {
  const time = { min: '1970-01-01T00:00:00Z', max: '2199-12-31T00:00:00Z', window_size: 'none' };
  const { body } = await site.ask('POST', '/api/v2/insights3/reports', { body: { fields, time } });
  return body.data[0].slice(3);
};

describe('bad input', () => {
  it.each([
    [
      note('a', '2026-02-30T10:00:00Z'),
      'at: "2026-02-30T10:00:00Z" is not a time that exists in the years 1970 to 2199',
    ],
    [
      note('b', '2026-01-05T25:00:00Z'),
      'at: "2026-01-05T25:00:00Z" is not a time that exists in the years 1970 to 2199',
    ],
    [
      note('c', '1969-12-31T23:59:59Z'),
      'at: "1969-12-31T23:59:59Z" is not a time that exists in the years 1970 to 2199',
    ],
    [note('d', '2026-01-05T10:00:00'), 'at: "2026-01-05T10:00:00" has no offset (Z or, for example, +01:00)'],
    [note('e', 'yesterday'), 'at: "yesterday" is not a time in ISO 8601'],
    [note('f', 1_767_607_200), 'at: 1767607200 is not a time (a text in ISO 8601)'],
    [note('g', undefined), 'at is missing'],
    [
      event('case.handled', 'h', { from: at, to: '2026-01-05T09:00:00Z' }),
      'to: "2026-01-05T09:00:00Z" is before from, "2026-01-05T10:00:00Z"',
    ],
    [event('case.status', 'i', { to: 'solved' }), 'to: "solved" is none of new, open, pending, resolved, closed'],
    [event('interaction', 'j', { direction: 'in' }), 'direction: "in" is none of inbound, outbound'],
    [event('case.priority', 'k', { priority: 11 }), 'priority: 11 is not a whole number from 1 to 10'],
    [event('case.opened', 'l'), 'type: "case.opened" is not a record type'],
    [event('note', 'm', { case: '' }), 'case: "" is neither a whole number nor a text'],
    [event('note', 'n', { agent: 'Ann' }), 'agent: "Ann" is not an id (a positive whole number or its digits)'],
    [event('csat.rated', 'o', { score: 0 }), 'score: 0 is not 1 to 4, as the site rates four_star'],
  ])('rejects %j, and takes the lines around it', async (record, reason) => {
    const [before = 0] = (await count('case_deletes')) as number[];
    const around = ['first', 'last'].map((id) => event('case.deleted', `${record.id}-${id}`));
    const { rejected, added } = await site.load(around[0], record, around[1]);
    expect([rejected.map((one) => [one.line, one.reason]), added]).toEqual([[[2, reason]], 2]);
    expect(await count('case_deletes')).toEqual([before + 2]);
  });

  it('takes members that nobody has introduced, and shows them by their ids', async () => {
    const { rejected } = await site.load(event('note', 'q', { agent: 4711, group: 4712 }));
    expect(rejected).toEqual([]);
    const meta = await site.show('/api/v2/insights3/meta');
    expect([meta.agents['4711'].name, meta.groups['4712'].name]).toEqual(['4711', '4712']);
  });

  it('takes a case both deleted and reopened: the deletion counts, and so does what follows it', async () => {
    const [deletes, reopens, resolves] = (await count('case_deletes', 'case_reopens', 'case_resolves')) as number[];
    const step = (second: number, type: string, more: object = {}) =>
      event(type, `r${second}`, { case: 'gone', at: `2026-01-06T10:00:0${second}Z`, ...more });
    const { rejected } = await site.load(
      step(4, 'case.status', { to: 'open' }), // the reopen comes first in the file
      step(1, 'case.created'),
      step(3, 'case.deleted'),
      step(2, 'case.status', { to: 'resolved' }),
      step(5, 'case.deleted'),
    );
    expect(rejected).toEqual([]);
    expect(await count('case_deletes', 'case_reopens', 'case_resolves')).toEqual([
      Number(deletes) + 2,
      Number(reopens) + 1,
      Number(resolves) + 1,
    ]);
  });

  it('keeps the first of two different events with one id, in one file or in two', async () => {
    const reason = 'id: "s" is already the id of another event of case 9, which stays';
    const [first, second] = [event('case.deleted', 's'), event('note', 's')];
    expect(await site.reasons(second, first)).toEqual([[2, reason]]);
    expect(await site.reasons(first, second)).toEqual([[1, reason]]);
  });

  it('knows one event by its case and id: in another case the same id is another event', async () => {
    expect(await site.reasons(event('note', 't'), event('case.deleted', 't', { case: 10 }))).toEqual([]);
  });
});
