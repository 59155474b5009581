import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Command } from 'commander';
import * as z from 'zod';
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
import { addPlaceOptions, readOptions } from '../command.ts';
import { findPack, readLargeInThread } from './recognise.ts';

/** `remove-source`: started by the service for a removal over HTTP; not for people. */
export function removeSourceCommand(): Command {
  const command = addPlaceOptions(new Command('remove-source').description('remove a source for the service'));
  return command.argument('<removal>', 'as JSON').action(async (removal: string) => {
    watchProcess(TURN_MS);
    const place = await openPlace(readOptions(command, {}), readSettings());
    try {
      await doRemoval({ table: place.table, clock: Date.now, newId: randomUUID }, removalShape.parse(ownJson(removal)));
    } finally {
      await place.close();
    }
    process.exit(0); // watching the parent would keep the process alive
  });
}

/** Where memory runs out, Linux is to end this process and not the service. */
const dieFirst = (): Promise<void> => writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);

const shape = { site: z.string(), id: z.coerce.number().int(), work: z.enum(WORKS), owner: z.string() };

/** `work-on-import`: started by the service for an import over HTTP; not for people. */
export function workOnImportCommand(): Command {
  const command = addPlaceOptions(new Command('work-on-import').description('work on an import for the service'))
    .requiredOption('--site <name>', 'name of the site')
    .requiredOption('--id <number>', 'of the import')
    .requiredOption('--work <what>', WORKS.join(', '))
    .requiredOption('--owner <token>', 'token that holds the turn');
  return command.action(async () => {
    const { site, id, work, owner, ...options } = readOptions(command, shape);
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
  });
}
