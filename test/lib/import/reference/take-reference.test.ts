import { type ImportSite, startImportSite } from '../../../support/service/import-site.ts';

let site: ImportSite;
beforeAll(async () => {
  site = await startImportSite();
});

describe('an import of macros', () => {
  it('lets them and their actions join the site, whichever comes first', async () => {
    const { rejected } = await site.load(
      { type: 'set-case-status', id: 31, macro: 30, value: 'resolved' },
      { type: 'macro_action', id: 32, macro: 30, action: 'set-case-priority', value: 7, enabled: false },
      { type: 'macro', id: 30, name: 'Close', folders: ['Billing'], description: 'd' },
    );
    expect(rejected).toEqual([]);
    expect(await site.show('/api/v2/macros/30')).toMatchObject({ name: 'Close', folders: ['Billing'] });
    expect(await site.list('/api/v2/macros/30/actions')).toMatchObject([
      { id: 31, type: 'set-case-status', value: 'resolved', enabled: true },
      { id: 32, type: 'set-case-priority', value: '7', enabled: false },
    ]);
  });

  it('refuses an action without its macro', async () => {
    const action = { type: 'macro_action', id: 1, macro: 55, action: 'set-case-note', value: 'x' };
    expect(await site.reasons(action)).toEqual([[1, 'macro: 55 is not a macro of this site']]);
  });
});
