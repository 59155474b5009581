import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../lib/settings.ts';
import { makeDemoSite } from '../demo/site.ts';
import { openPlace } from '../local/table/place.ts';
import { projectPath } from '../project.ts';
import { COOKBOOK_NOW, withAnswers } from './cookbook.ts';

/** `npm run cookbook`: rewrites the requests and answers in docs/cookbook.md. */
const file = projectPath('docs/cookbook.md');
const dataDir = mkdtempSync(join(tmpdir(), 'cookbook-'));
const place = await openPlace({ dataDir }, readSettings());
try {
  await makeDemoSite(place.table, COOKBOOK_NOW);
  writeFileSync(file, await withAnswers(readFileSync(file, 'utf8'), place.table));
} finally {
  await place.close();
  rmSync(dataDir, { recursive: true, force: true });
}
