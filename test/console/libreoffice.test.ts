import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sheet } from '../../lib/console/model/sheet.ts';
import { toXlsx } from '../../lib/console/model/xlsx.ts';
import { LIBREOFFICE } from '../support/service/browser-path.ts';

const CSV = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false'; // UTF-8; numbers by their kind

const SHEET: Sheet = {
  name: 'Report',
  columns: [
    { header: 'Week from', kind: 'week' },
    { header: 'Agent', kind: 'text' },
    { header: 'Created', kind: 'number' },
    { header: 'First response', kind: 'seconds' },
    { header: 'Resolved at first contact', kind: 'percent' },
  ],
  rows: [
    ['2026-01-05 00:00:00', '=1+1', 1200, 95_405, 33.3333],
    ['2026-01-12 00:00:00', 'Ann, "A."', 0, null, 100],
    ['All cases', null, 1200, 95_405, 50],
  ],
};

const itInLibreOffice = LIBREOFFICE !== undefined && process.env.TEST_CONSOLE === '1' ? it : it.skip;

itInLibreOffice(
  'LibreOffice opens a workbook and finds dates, names, durations and rates',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'libreoffice-'));
    try {
      const file = join(folder, 'report.xlsx');
      await writeFile(file, await toXlsx([SHEET]));
      const options = ['--headless', `-env:UserInstallation=file://${folder}/profile`, '--convert-to', CSV];
      await promisify(execFile)(LIBREOFFICE ?? '', [...options, '--outdir', folder, file]);
      expect((await readFile(join(folder, 'report.csv'), 'utf8')).trim().split(/\r?\n/)).toEqual([
        'Week from,Agent,Created,First response,Resolved at first contact',
        '2026-01-05,=1+1,1200,26:30:05,33.3333%',
        '2026-01-12,"Ann, ""A.""",0,,100%',
        'All cases,,1200,26:30:05,50%',
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  120_000,
);
