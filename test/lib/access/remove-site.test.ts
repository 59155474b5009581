import { removeSite } from '../../../lib/access/remove-site.ts';
import { NEW_SITE, type Site } from '../../../lib/access/site-fields.ts';
import { listSites, readSite } from '../../../lib/access/sites.ts';
import { dyingTable, Killed } from '../../support/faults/faulty-table.ts';
import { addSite } from '../../support/service/stored-access.ts';
import { freshTable } from '../../support/service/table.ts';

const siteOf = (name: string): Site => ({ ...NEW_SITE, name, title: name, hosts: [`${name}.localhost`] });

it('a site goes with all it holds, and others stay, wherever its removal is killed', async () => {
  for (let writes = 0; writes < 6; writes += 1) {
    const table = await freshTable();
    const [acme, other] = [siteOf('acme'), siteOf('acme-2')];
    await addSite(table, acme, { default: true });
    await addSite(table, other);
    const items = ['acme', 'acme-2'].flatMap((name) =>
      ['a', 'b'].map((sk) => ({ put: { pk: `site#${name}#topics`, sk } })),
    );
    await table.batchWrite(items);
    await removeSite(dyingTable(table, writes), acme).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
    const left = await readSite(table, 'acme');
    if (left) await removeSite(table, left);
    expect((await listSites(table)).map(({ site }) => site.name)).toEqual(['acme-2']);
    const stored: string[] = [];
    for await (const page of table.scan()) stored.push(...page.map(({ pk }) => pk));
    expect(stored.filter((pk) => !pk.includes('acme-2') && pk !== 'deployment')).toEqual([]);
    expect(stored.filter((pk) => pk === 'site#acme-2#topics')).toHaveLength(2);
  }
});
