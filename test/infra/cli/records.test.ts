import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../support/service/command.ts';
import { withFolder } from '../../support/service/program.ts';

it('shows calendars, and sets them from a file of which every record is sound', async () => {
  await withFolder(async (folder) => {
    const place = ['--data-dir', folder];
    await command(['site', 'add', 'acme', ...place]);
    expect((await command(['calendar', '--site', 'acme', ...place])).out).toContain('acme has no calendar');
    const file = join(folder, 'calendar.json');
    const berlin = { id: 1, name: 'Berlin', time_zone: 'Berlin', hours: { mon: [['09:00', '17:00']] }, default: true };
    await writeFile(file, JSON.stringify([berlin]));
    const set = await command(['calendar', '--site', 'acme', '--from', file, ...place]);
    expect([set.status, set.out]).toEqual([0, expect.stringContaining('Europe/Berlin  default')]);
    await writeFile(
      file,
      JSON.stringify([
        { ...berlin, name: 'Changed' },
        { ...berlin, id: 2, hours: {} },
      ]),
    );
    const refused = await command(['calendar', '--site', 'acme', '--from', file, ...place]);
    expect([refused.status, refused.err]).toEqual([
      1,
      expect.stringContaining('record 2: hours: has no hours of work'),
    ]);
    expect((await command(['calendar', '--site', 'acme', ...place])).out).toContain('1  Berlin  Europe/Berlin');
  });
});

it('shows promises, sets them from a file, and takes one away', async () => {
  await withFolder(async (folder) => {
    const place = ['--site', 'acme', '--data-dir', folder];
    await command(['site', 'add', 'acme', '--data-dir', folder]);
    expect((await command(['sla', ...place])).out).toContain('acme has no SLA policy.');
    const file = join(folder, 'sla.json');
    const targets = [{ metric: 'reply', seconds: 5400, hours: 'business', priorities: [9, 10] }];
    const gold = { id: 3, name: 'Gold', position: 1, filters: [[['Include', 'Companies', [{ id: '9' }]]]], targets };
    await writeFile(file, JSON.stringify([gold, { id: 4, name: 'All', targets: [] }]));
    const set = await command(['sla', ...place, '--from', file]);
    expect([set.status, set.err]).toEqual([0, '']);
    expect(set.out).toContain('3  Gold  position 1  cases that its filters let through');
    expect(set.out).toContain('reply within 5400 s (1h 30m) of working time, priorities 9, 10');
    const audit = JSON.parse((await command(['audit', ...place, '--resource', 'sla_policies', '--json'])).out);
    expect(audit).toEqual([expect.objectContaining({ resource: 'sla_policies', count: 2 })]); // one transaction
    const shown = await command(['sla', ...place, '--json']);
    await writeFile(file, shown.out);
    expect((await command(['sla', ...place, '--from', file, '--json'])).out).toBe(shown.out);
    expect((await command(['sla', ...place, '--remove', '3'])).out.trim()).toBe('4  All  last  all cases');
    const [removal] = JSON.parse((await command(['audit', ...place, '--resource', 'sla_policies/3', '--json'])).out);
    expect(removal).toMatchObject({ action: 'delete', resource: 'sla_policies/3', user: null, via: 'command line' });
    const again = await command(['sla', ...place, '--remove', '3']);
    expect([again.status, again.err]).toEqual([1, 'There is no SLA policy 3.\n']);
    const none = await command(['sla', ...place, '--remove', 'Gold']);
    expect([none.status, none.err]).toEqual([2, expect.stringContaining('It is not a whole number from 1.')]);
    await writeFile(file, JSON.stringify({ ...gold, targets: [{ metric: 'mood', seconds: 1 }] }));
    const refused = await command(['sla', ...place, '--from', file]);
    expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('record 1: targets[0].metric: "mood"')]);
  });
});
