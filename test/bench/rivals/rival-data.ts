import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { caseHistory } from '../../../lib/history/cases/case-history.ts';
import { type CaseEvent, isOfAgent } from '../../../lib/history/cases/event.ts';
import { caseRow } from '../../../lib/history/cases/facts.ts';
import { madeEvents } from '../data/history.ts';
import { openRivalFiles } from './rival-tables.ts';

/** Writes the rivals' CSV files of a scale into a folder, unless an earlier run left them there; returns the folder. */
export async function rivalData(scale: number, dataDir: string): Promise<string> {
  const folder = join(dataDir, `rivals-${scale}`);
  const note = join(folder, 'complete');
  if (existsSync(note)) return folder;
  mkdirSync(folder, { recursive: true });
  const files = openRivalFiles(folder);
  let events: CaseEvent[] = [];
  for (const event of madeEvents(scale)) {
    if (isOfAgent(event)) break; // they come last, and no query of the bench needs them
    if (events[0] !== undefined && events[0].case !== event.case) {
      await files.add(caseRow(events[0].case, caseHistory(events)));
      events = [];
    }
    events.push(event);
  }
  if (events[0] !== undefined) await files.add(caseRow(events[0].case, caseHistory(events)));
  await files.close();
  writeFileSync(note, '');
  return folder;
}
