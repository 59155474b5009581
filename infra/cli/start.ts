import type { Command } from 'commander';
import { readSettings } from '../../lib/settings.ts';
import { onEndSignal, onOrphaned } from '../local/signals.ts';
import { startService } from '../local/start.ts';
import { line, placeCommand, print } from './command.ts';

/** `start`: serves the API until a signal ends it; `npm start` runs it. */
export const startCommand = (): Command =>
  placeCommand(
    [
      'start',
      'serve the API (settings by environment: PORT, HOST, DATA_DIR, DYNAMODB_ENDPOINT, TABLE_NAME, LOG_LEVEL, DEMO)',
      '--data-dir ./data',
    ],
    {
      port: line('<number>', 'where to listen; 0 takes a free port (default: PORT, else 3000)'),
      host: line('<address>', 'on which address (default: HOST, else 127.0.0.1)'),
    },
    async (options) => {
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
    },
  );
