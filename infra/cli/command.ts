import type { Command } from 'commander';
import * as z from 'zod';
import { readSettings } from '../../lib/settings.ts';
import { printable } from '../../lib/text.ts';
import { Fault } from '../fault.ts';
import { onEndSignal } from '../local/signals.ts';
import { openPlace, type Place, type PlaceOptions } from '../local/table/place.ts';

/** A command's result, for people and for programs. */
export interface Outcome {
  readonly text: string; // '': printed already
  readonly json: unknown;
  readonly exit?: 0 | 1 | 2; // 1: done only in part, or lines rejected; 2: questions are open
}

/** The options that every command takes (docs/interface.md). */
export const placeShape = {
  dataDir: z.string().optional(),
  table: z.string().optional(),
  endpoint: z.string().optional(),
  json: z.boolean().optional(),
};

export function addPlaceOptions(command: Command): Command {
  return command
    .option('--data-dir <folder>', 'folder of the local data (default: DATA_DIR, else .data in the project)')
    .option('--table <name>', 'a deployed table instead of the local data')
    .option('--endpoint <url>', 'where that table answers (default: AWS itself)')
    .option('--json', 'print one JSON document on standard output')
    .showHelpAfterError('(--help lists the arguments and options)');
}

/** The option of commands that need a site. */
export const siteOption = (command: Command): Command => command.requiredOption('--site <name>', 'name of the site');

/** Collects the values of an option that may repeat. */
export const repeated = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** A command's help ends with an example of its use. */
export const withExample = (command: Command, example: string): Command =>
  command.addHelpText('after', `\nExample:\n  $ npx support ${example}`);

/** Parses a command's options by its schema; throws a `Fault` for options that exclude each other. */
export function readOptions<S extends z.ZodRawShape>(command: Command, shape: S) {
  const common = z.object(placeShape).parse(command.opts());
  if (common.dataDir !== undefined && common.table !== undefined)
    throw new Fault('--data-dir and --table exclude each other: name one of them.', 2);
  if (common.endpoint !== undefined && common.table === undefined)
    throw new Fault('--endpoint needs --table: name the table that answers there.', 2);
  return { ...common, ...z.object(shape).parse(command.opts()) };
}

/** Runs a command's work on an open table, prints the outcome and sets the exit status. */
export function onTable<S extends z.ZodRawShape>(
  command: Command,
  shape: S,
  work: (place: Place, options: z.infer<z.ZodObject<S>>, operands: readonly string[]) => Promise<Outcome>,
  opening: Pick<PlaceOptions, 'mayMake'> = {},
): Command {
  return addPlaceOptions(command).action(async () => {
    const options = readOptions(command, shape);
    const outcome = await withPlace({ ...options, ...opening }, (place) => work(place, options, command.args));
    print(outcome, options.json ?? false);
  });
}

/** Opens the table given by a command's options and the environment. */
export const openForCommand = (options: PlaceOptions): Promise<Place> => openPlace(options, readSettings());

/** Does work on the table and always closes it, also after Ctrl-C. */
async function withPlace<T>(options: PlaceOptions, work: (place: Place) => Promise<T>) {
  const place = await openForCommand(options);
  const stopListening = onEndSignal((exit) => place.close().finally(() => process.exit(exit)));
  try {
    return await work(place);
  } finally {
    stopListening();
    await place.close();
  }
}

/** Writes a line, or several, to a terminal, without what would command it. */
export const write = (stream: NodeJS.WritableStream, text: string): void => void stream.write(`${printable(text)}\n`);

/** Prints a command's result and sets the exit status. */
export function print({ text, json, exit = 0 }: Outcome, asJson: boolean): void {
  if (asJson || text !== '') write(process.stdout, asJson ? JSON.stringify(json, null, 2) : text);
  process.exitCode = exit;
}
