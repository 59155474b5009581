import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Command } from 'commander';
import { createLog, describeError } from '../../../lib/log.ts';
import { ownJson } from '../../../lib/own-json.ts';
import { readSettings } from '../../../lib/settings.ts';
import { doRemoval, removalShape } from '../../../lib/uploads/source-removal.ts';
import { moveTurn, TURN_MS } from '../../../lib/uploads/turn.ts';
import { WORKS } from '../../../lib/uploads/upload.ts';
import { workOn } from '../../../lib/uploads/work.ts';
import { onEndSignal, onOrphaned } from '../../local/signals.ts';
import { openPlace } from '../../local/table/place.ts';
import { watchProcess } from '../../local/threads/watched-process.ts';
import { dropFile, dropRejected, uploadFolder, uploadPath } from '../../local/uploads/files.ts';
import { holders } from '../../local/uploads/holders.ts';
import { choice, line, needed, placeCommand, value } from '../command.ts';
import { findPack, readLargeInThread } from './recognise.ts';

/** `remove-source`: started by the service for a removal over HTTP; not for people. */
export const removeSourceCommand = (): Command =>
  placeCommand(
    ['remove-source', 'remove a source for the service', '', ['<removal>', 'as JSON']],
    {},
    async (options, [removal = '']) => {
      watchProcess(TURN_MS);
      const place = await openPlace(options, readSettings());
      try {
        const tools = { table: place.table, clock: Date.now, newId: randomUUID };
        await doRemoval(tools, removalShape.parse(ownJson(removal)));
      } finally {
        await place.close();
      }
      process.exit(0); // watching the parent would keep the process alive
    },
  );

/** Where memory runs out, Linux is to end this process and not the service. */
const dieFirst = (): Promise<void> => writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);

const WORK = {
  site: needed(line('<name>', 'name of the site')),
  id: needed(value('<number>', 'of the import', Number)),
  work: needed(choice('<what>', 'what to do', WORKS)),
  owner: needed(line('<token>', 'token that holds the turn')),
};

/** `work-on-import`: started by the service for an import over HTTP; not for people. */
export const workOnImportCommand = (): Command =>
  placeCommand(
    ['work-on-import', 'work on an import for the service', ''],
    WORK,
    async ({ site, id, work, owner, ...options }) => {
      watchProcess(TURN_MS);
      await dieFirst();
      const settings = readSettings();
      const place = await openPlace(options, settings);
      const ending = new AbortController();
      const log = createLog(settings.LOG_LEVEL, (line) => process.stderr.write(`${line}\n`));
      onEndSignal(() => ending.abort());
      onOrphaned(() => ending.abort());
      const folder = uploadFolder(options, settings);
      const pathOf = (file: { readonly id: number; readonly name: string }) => uploadPath(folder, { site, ...file });
      try {
        const turn = { site, id, owner };
        const isOurs = await moveTurn({ table: place.table, clock: Date.now, holders }, turn);
        if (isOurs)
          await workOn(
            {
              table: place.table,
              clock: Date.now,
              newId: randomUUID,
              folder: place.folder ?? tmpdir(),
              findPack,
              readElsewhere: readLargeInThread,
              pathOf,
              drop: (file) => dropFile(pathOf(file)),
              dropRejected: (file) => dropRejected(pathOf(file)),
              ending: ending.signal,
              onError: (error) => log('error', 'import failed', { site, id, ...describeError(error) }),
            },
            turn,
            work,
          );
      } finally {
        await place.close();
      }
      process.exit(0); // watching the parent would keep the process alive
    },
  );
