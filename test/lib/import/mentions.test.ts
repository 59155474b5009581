import { type ImportSite, startImportSite } from '../../support/service/import-site.ts';

let site: ImportSite;
beforeAll(async () => {
  site = await startImportSite();
});

describe('an import of events', () => {
  it('notes the members that they alone name, by their ids, until a record brings them', async () => {
    const at = '2026-01-01T00:00:00Z';
    const events = [
      {
        type: 'case.created',
        id: 1,
        at,
        case: 1,
        agent: 101,
        channel: 5,
        labels: [102],
        custom_fields: { '103': 'x' },
      },
      { type: 'case.assigned', id: 2, at, case: 1, agent: 104, group: 105 },
      { type: 'macro.applied', id: 3, at, case: 1, macro: 106 },
      { type: 'agent.session', id: 4, agent: 107, from: at, to: at },
    ];
    const { added, records } = await site.load(...events);
    expect([added, records]).toEqual([
      4,
      { 'case.created': 1, 'case.assigned': 1, 'macro.applied': 1, 'agent.session': 1 },
    ]);
    await site.load({ type: 'agent', id: 104, name: 'Cleo', updated_at: '2001-01-01T00:00:00Z' });
    const {
      agents,
      groups,
      labels,
      channels,
      macros,
      custom_fields: fields,
    } = await site.show('/api/v2/insights3/meta');
    const found = [agents['101'], agents['104'], agents['107'], groups['105'], labels['102'], channels['5']];
    expect([...found, macros['106'], fields['103']].map(({ name }) => name)).toEqual([
      '101',
      'Cleo',
      '107',
      '105',
      '102',
      '5',
      '106',
      '103',
    ]);
  });
});
