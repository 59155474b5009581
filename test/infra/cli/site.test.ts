import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../support/service/command.ts';
import { run, withFolder } from '../../support/service/program.ts';

it('warns of ratings on the scale that a site had', async () => {
  await withFolder(async (folder) => {
    const place = ['--data-dir', folder];
    const set = async (rating: string) => {
      const { out } = await command(['site', 'set', 'acme', '--rating', rating, '--json', ...place]);
      return JSON.parse(out).warnings;
    };
    await command(['site', 'add', 'acme', '--rating', 'yes_no', ...place]);
    expect(await set('four_star')).toEqual([]);
    expect(await set('yes_no')).toEqual([]);
    const events = [
      { type: 'case.created', id: 1, at: '2026-01-01T00:00:00Z', case: 1 },
      { type: 'csat.rated', id: 2, at: '2026-01-02T00:00:00Z', case: 1, score: 1 },
    ];
    const file = join(folder, 'events.ndjson');
    await writeFile(file, events.map((event) => JSON.stringify(event)).join('\n'));
    expect((await command(['import', file, '--site', 'acme', ...place])).status).toBe(0);
    expect(await set('yes_no')).toEqual([]);
    expect(await set('four_star')).toEqual([expect.stringContaining('cases with ratings of the scale yes_no: 1.')]);
  });
});

it('sets the origin of the portal, and takes it back', async () => {
  await withFolder(async (folder) => {
    const set = (url: string) => command(['site', 'set', 'acme', '--portal-url', url, '--json', '--data-dir', folder]);
    const portal = async (url: string): Promise<unknown> => JSON.parse((await set(url)).out).portalUrl;
    await command(['site', 'add', 'acme', '--data-dir', folder]);
    expect(await portal('https://Help.example.com/')).toBe('https://help.example.com');
    for (const url of ['help.example.com', 'ftp://help.example.com', 'https://help.example.com/portal', ''])
      expect(await set(url)).toMatchObject({ status: 2, err: expect.stringContaining('an origin such as') });
    const other = await command(['site', 'set', 'acme', '--title', 'Acme', '--json', '--data-dir', folder]);
    expect(JSON.parse(other.out).portalUrl).toBe('https://help.example.com');
    expect(await portal('none')).toBeUndefined();
  });
});

it('sets the engine of reports, which may be the warehouse only where the settings name one', async () => {
  await withFolder(async (folder) => {
    const set = (engine: string) =>
      command(['site', 'set', 'acme', '--engine', engine, '--engine-bytes', '1000', '--json', '--data-dir', folder]);
    await command(['site', 'add', 'acme', '--data-dir', folder]);
    expect(JSON.parse((await set('scan')).out)).toMatchObject({ engine: 'scan', engineBytes: 1000 });
    expect(await set('warehouse')).toMatchObject({ status: 2, err: expect.stringContaining('ATHENA_WORKGROUP') });
    expect(await set('duckdb')).toMatchObject({ status: 2 });
    expect(JSON.parse((await set('auto')).out)).toMatchObject({ engine: 'auto' });
  });
});

it('sets the address of a case and the name by the rules of the API, and takes the address back', async () => {
  await withFolder(async (folder) => {
    const set = (...given: string[]) => command(['site', 'set', 'acme', ...given, '--json', '--data-dir', folder]);
    const address = async (url: string): Promise<unknown> => JSON.parse((await set('--case-url', url)).out).caseUrl;
    await command(['site', 'add', 'acme', '--data-dir', folder]);
    expect(await address('https://help.example/tickets/{case}')).toBe('https://help.example/tickets/{case}');
    for (const url of ['javascript:alert({case})', 'https://help.example/tickets', 'https://{case}.example/', ''])
      expect(await set('--case-url', url)).toMatchObject({
        ...{ status: 2, err: expect.stringContaining('no address of a case, such as https://help.example') },
      });
    expect(await set('--title', 'Acme\nBcc: all')).toMatchObject({ status: 2 });
    expect(await set('--locales', 'de')).toMatchObject({
      ...{ status: 2, err: expect.stringContaining("locales leaves out en_us, the site's default: it must stay.") },
    });
    expect(JSON.parse((await set('--title', 'Acme')).out)).toMatchObject({
      ...{ title: 'Acme', caseUrl: 'https://help.example/tickets/{case}' },
    });
    expect(await address('none')).toBeUndefined();
  });
});

it('exports a site as a new file that another imports', async () => {
  await withFolder(async (folder) => {
    const place = ['--data-dir', folder];
    for (const name of ['acme', 'copy']) await command(['site', 'add', name, ...place]);
    const file = join(folder, 'events.ndjson');
    await writeFile(file, JSON.stringify({ type: 'case.created', id: 1, at: '2026-01-01T00:00:00Z', case: 1 }));
    await command(['import', file, '--site', 'acme', ...place]);
    const packed = join(folder, 'acme.ndjson.gz');
    expect(await command(['site', 'export', 'acme', '--to', packed, ...place])).toMatchObject({ status: 0 });
    expect(await run(['site', 'export', 'acme', '--to', packed, ...place])).toMatchObject({
      status: 1,
      err: expect.stringContaining('exists already'),
    });
    expect((await command(['import', packed, '--site', 'copy', ...place])).status).toBe(0);
    const shown = async (name: string) =>
      (await command(['site', 'export', name, ...place])).out.replaceAll('copy', 'acme');
    expect(await shown('copy')).toBe(await shown('acme'));
    expect(await command(['site', 'export', 'acme', '--json', ...place])).toMatchObject({ status: 2, out: '' });
  });
});

it('removes a site with --yes alone', async () => {
  await withFolder(async (folder) => {
    const place = ['--data-dir', folder];
    const sites = async (): Promise<string> => (await command(['site', 'list', ...place])).out;
    await command(['site', 'add', 'acme', ...place]);
    const asked = await command(['site', 'remove', 'acme', ...place]);
    expect(asked).toMatchObject({ status: 1, out: expect.stringContaining('add --yes to remove it') });
    expect(await sites()).toContain('acme');
    expect((await command(['site', 'remove', 'acme', '--yes', ...place])).status).toBe(0);
    expect(await sites()).not.toContain('acme');
    expect((await command(['site', 'remove', 'acme', '--yes', ...place])).status).toBe(1);
  });
});
