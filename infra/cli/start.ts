import { Command } from 'commander';
import * as z from 'zod';
import { readSettings } from '../../lib/settings.ts';
import { onEndSignal, onOrphaned } from '../local/signals.ts';
import { startService } from '../local/start.ts';
import { addPlaceOptions, print, readOptions, withExample } from './command.ts';

/** `start`: serves the API until a signal ends it; `npm start` runs it. */
export function startCommand(): Command {
  const start = addPlaceOptions(
    new Command('start')
      .description(
        'serve the API (settings by environment: PORT, HOST, DATA_DIR, DYNAMODB_ENDPOINT, TABLE_NAME, LOG_LEVEL, DEMO)',
      )
      .option('--port <number>', 'where to listen; 0 takes a free port (default: PORT, else 3000)')
      .option('--host <address>', 'on which address (default: HOST, else 127.0.0.1)'),
  );
  return withExample(start, 'start --data-dir ./data').action(async () => {
    const options = readOptions(start, { port: z.string().optional(), host: z.string().optional() });
    const settings = readSettings({ PORT: options.port, HOST: options.host });
    await new Promise<void>((resolve, reject) => {
      const ending = new AbortController();
      onEndSignal(() => ending.abort());
      if (settings.npm_command) onOrphaned(() => ending.abort());
      startService(options, settings, ending.signal, (started) => {
        print(started, options.json ?? false);
      }).then(resolve, reject);
    });
    process.exit(0); // a running compaction can be stopped at any point
  });
}
