import { Command } from 'commander';
import { addOptions, type OptionsOf } from '../../../../infra/cli/command.ts';
import { makeRequest, REQUEST } from '../../../../infra/cli/report/request-options.ts';
import type { ReadMembers, SiteMember } from '../../../../infra/cli/report/site-members.ts';
import { NEW_SITE } from '../../../../lib/access/site-fields.ts';

const site = { ...NEW_SITE, name: 'acme', title: 'acme', hosts: [], timeZone: 'Europe/Berlin' };
const now = Date.parse('2026-03-29T12:00:00Z');
const member = (id: number | string, name: string): SiteMember => ({ id, name, deleted: false });
const MEMBERS: Readonly<Record<string, readonly SiteMember[]>> = {
  labels: [member(3, 'Billing, late'), member(4, 'Bug'), member(5, '7')],
  agents: [member(41, 'Ann'), member(42, 'Bob'), member(43, 'bob'), member(44, 'Böb')],
  customValues: [
    member('12:0123456789abcdef', 'plan: gold'),
    member('13:fedcba9876543210', 'metal: gold'),
    member(14, 'order'),
  ],
};
const members: ReadMembers = async (dictionary) => MEMBERS[dictionary] ?? [];

/** The request that a command line stands for. */
async function requestOf(...words: string[]) {
  const command = addOptions(new Command(), REQUEST).exitOverride().parse(words, { from: 'user' });
  return (await makeRequest(undefined, command.opts<OptionsOf<typeof REQUEST>>(), { site, members, now })).body;
}

describe('a request by options', () => {
  it.each<[string, object]>([
    ['--min 2026-03-29', { min: '2026-03-29T00:00:00+01:00', max: '2026-03-29T14:00:00+02:00', window_size: 'none' }],
    ['--min 2026-03 --max 2026-04-01T09:30', { min: '2026-03-01T00:00:00+01:00', max: '2026-04-01T09:30:00+02:00' }],
    ['--min 2026-03-29T02:30 --max 2026-04 --window day', { min: '2026-03-29T03:30:00+02:00', window_size: 'day' }], // skipped
    [
      '--min 2026-01-01T00:00:00Z --max 2026-02 --time-zone Asia/Kathmandu',
      { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00+05:45' },
    ],
    ['--all', { all: true, window_size: 'none' }],
    ['--all --window month', { all: true, window_size: 'month' }],
    ['--last 2 --unit quarter', { last: 2, unit: 'quarter', window_size: 'month' }],
    ['--last 1 --unit year', { last: 1, unit: 'year', window_size: 'month' }],
    ['--last 3 --unit month', { last: 3, unit: 'month', window_size: 'month' }],
    ['--last 3 --unit month --window week --including-current', { window_size: 'week', including_current: true }],
    [
      '--last 1 --unit day --compare 2025-01/2025-02',
      { compare: { min: '2025-01-01T00:00:00+01:00', max: '2025-02-01T00:00:00+01:00' } },
    ],
  ])('has the time of %s', async (words, time) => {
    expect((await requestOf('--fields', 'case_creates', ...words.split(' '))).time).toMatchObject(time);
  });

  it('takes a name before an id where it has no digits alone, and one with a comma whole', async () => {
    const by = (dimension: string, values: string) => requestOf('--by', dimension, '--values', values);
    expect((await by('label', 'Billing, late')).dimension1_values).toEqual([3]);
    expect((await by('label', 'BUG,7,99')).dimension1_values).toEqual([4, 7, 99]);
    expect((await by('assigned_agent', 'bob,Bob,BÖB')).dimension1_values).toEqual([43, 42, 44]);
    expect((await by('custom_field', 'plan: gold')).dimension1_values).toEqual(['12:0123456789abcdef']);
    expect((await by('custom_field:13', 'gold')).dimension1_values).toEqual(['13:fedcba9876543210']);
  });

  it('has one group of filters, whose objects may be written loosely', async () => {
    const { filters } = await requestOf(
      '--filter',
      'labels!=Bug',
      '--filter',
      'custom_fields = order',
      '--filter',
      'Companies!~a=b',
    );
    expect(filters).toEqual([
      [
        ['Exclude', 'Labels', 'Is', '', false, [{ id: '4' }]],
        ['Include', 'Custom Fields', 'Is', '', false, [{ id: '14' }]],
        ['Exclude', 'Companies', 'Contains', 'a=b', false, []],
      ],
    ]);
  });

  it.each<[string, readonly string[], string]>([
    [
      'a name that nobody has',
      ['--by', 'label', '--values', 'Bugg'],
      '--values: no member is called Bugg. Did you mean Bug (4)?',
    ],
    ['a part of names', ['--by', 'assigned_agent', '--values', 'ob'], 'Did you mean Bob (42), bob (43)?'],
    ['a name of a site without any', ['--by', 'macro', '--values', 'x'], 'the site has no such members yet'],
    [
      'a name that two have',
      ['--by', 'assigned_agent', '--values', 'BOB'],
      'several are called BOB: Bob (42), bob (43). Use the id',
    ],
    [
      'a value that two fields have',
      ['--by', 'custom_field', '--values', 'gold'],
      'several are called gold: plan: gold',
    ],
    ['members without a dimension', ['--values', 'Bug'], '--values needs a dimension'],
    ['a filter object that is none', ['--filter', 'Labelz=Bug'], '--filter Labelz: there are Channels, Groups'],
    ['a filter without an operator', ['--filter', 'Labels'], 'is not a condition: write Labels=refund,bug'],
    ['two kinds of time', ['--last', '1', '--unit', 'week', '--min', '2026-01'], '--min and --max exclude --last'],
    ['a time that is none', ['--min', 'yesterday'], '--min yesterday is not a time'],
    ['a zone that is none', ['--time-zone', 'Berlin'], '--time-zone is not a zone'],
    ['three dimensions', ['--by', 'label,channel,macro'], '--by takes one or two dimensions'],
    ['nothing', [], '--help has examples'],
  ])('refuses %s, and says what would do', async (_, words, sentence) => {
    await expect(requestOf(...words)).rejects.toMatchObject({ exit: 2, message: expect.stringContaining(sentence) });
  });
});
