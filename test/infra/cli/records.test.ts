import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { run, withFolder } from '../../support/service/program.ts';

it('shows calendars, and sets them from a file of which every record is sound', async () => {
  await withFolder(async (folder) => {
    const place = ['--data-dir', folder];
    await run(['site', 'add', 'acme', ...place]);
    expect((await run(['calendar', '--site', 'acme', ...place])).out).toContain('acme has no calendar');
    const file = join(folder, 'calendar.json');
    const berlin = { id: 1, name: 'Berlin', time_zone: 'Berlin', hours: { mon: [['09:00', '17:00']] }, default: true };
    await writeFile(file, JSON.stringify([berlin]));
    const set = await run(['calendar', '--site', 'acme', '--from', file, ...place]);
    expect([set.status, set.out]).toEqual([0, expect.stringContaining('Europe/Berlin  default')]);
    await writeFile(
      file,
      JSON.stringify([
        { ...berlin, name: 'Changed' },
        { ...berlin, id: 2, hours: {} },
      ]),
    );
    const refused = await run(['calendar', '--site', 'acme', '--from', file, ...place]);
    expect([refused.status, refused.err]).toEqual([
      1,
      expect.stringContaining('record 2: hours: has no hours of work'),
    ]);
    expect((await run(['calendar', '--site', 'acme', ...place])).out).toContain('1  Berlin  Europe/Berlin');
  });
});
