import { Argument, Command, Option } from 'commander';
import { readSettings } from '../../lib/settings.ts';
import { releaseHeld } from '../../lib/store/lease.ts';
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

/** An option of a command, as `options` names it: `passwordStdin` is `--password-stdin`. */
export interface CliOption<V> {
  readonly form: string; // of its value, such as `<login>`, or of all of it: `--host <host>`; '': it takes none
  readonly about: string;
  readonly words?: readonly string[]; // the only values
  readonly isNeeded?: boolean;
  readonly usual?: V | undefined;
  read?(text: string, before?: V): unknown; // `before`: what the same option said earlier in the command
}

export type CliOptions = Readonly<Record<string, CliOption<unknown>>>;

/** The values of a command's options. */
export type OptionsOf<O extends CliOptions> = {
  readonly [K in keyof O]: O[K] extends CliOption<infer V> ? V : never;
};

export const toggle = (about: string): CliOption<boolean | undefined> => ({ form: '', about });
export const line = (form: string, about: string): CliOption<string | undefined> => ({ form, about });

export const value = <V>(
  form: string,
  about: string,
  read: (text: string, before?: V) => V,
): CliOption<V | undefined> => ({ form, about, read });

export const choice = <W extends string>(
  form: string,
  about: string,
  words: readonly W[],
): CliOption<W | undefined> => ({
  form,
  about,
  words,
});

/** A text that may repeat. */
export const lines = (form: string, about: string) =>
  value(form, about, (said, before: readonly string[] = []): readonly string[] => [...before, said]);

export const needed = <V>(option: CliOption<V | undefined>): CliOption<V> => ({ ...option, isNeeded: true });
export const usually = <V>(option: CliOption<V | undefined>, usual: V): CliOption<V> => ({ ...option, usual });

/** For commands that otherwise say what they would do. */
export const yes = (what: string) => toggle(`do it; without --yes the command only says what would be ${what}`);
export const NOW = toggle('also delete the bytes at once, instead of after the next compaction');
export const JSON_OPTION = toggle('print one JSON document on standard output');

/** The options that every command takes (docs/interface.md). */
const PLACE = {
  dataDir: line('<folder>', 'folder of the local data (default: DATA_DIR, else .data in the project)'),
  table: line('<name>', 'a deployed table instead of the local data'),
  endpoint: line('<url>', 'where that table answers (default: AWS itself)'),
  json: JSON_OPTION,
};
export type InPlace<O extends CliOptions> = OptionsOf<O> & OptionsOf<typeof PLACE>;

/** What follows a command's name: `<name>`, its words, and how its text is checked. */
type Operand = readonly [form: string, about: string, check?: (text: string) => string];

/** A command's name, what it does, the words of an example after its name (or paragraphs), and its operands. */
export type CommandWords = readonly [name: string, about: string, example: string, ...operands: readonly Operand[]];

/** Declares a command with its own options alone. */
export const bareCommand = <O extends CliOptions>(
  words: CommandWords,
  options: O,
  work: (options: OptionsOf<O>, operands: readonly string[]) => Promise<Outcome>,
): Command => declared(words, options, (command) => work(command.opts<OptionsOf<O>>(), command.args));

/** Declares a command on a data folder or a table that it opens itself. */
export const placeCommand = <O extends CliOptions>(
  words: CommandWords,
  options: O,
  work: (options: InPlace<O>, operands: readonly string[]) => Promise<Outcome>,
): Command =>
  declared(words, { ...options, ...PLACE }, (command) => {
    placeOf(command);
    return work(command.opts<InPlace<O>>(), command.args);
  });

/** Declares a command on an open table. `mayMake`: a data folder is made where there is none. */
export const tableCommand = <O extends CliOptions>(
  words: CommandWords,
  options: O,
  work: (place: Place, options: InPlace<O>, operands: readonly string[]) => Promise<Outcome>,
  opening: Pick<PlaceOptions, 'mayMake'> = {},
): Command =>
  onTable(words, options, (place, command) => work(place, command.opts<InPlace<O>>(), command.args), opening);

/** The same for work that reads its options by itself. */
export const onTable = (
  words: CommandWords,
  options: CliOptions,
  work: (place: Place, command: Command) => Promise<Outcome>,
  opening: Pick<PlaceOptions, 'mayMake'> = {},
): Command =>
  declared(words, { ...options, ...PLACE }, (command) =>
    withPlace({ ...placeOf(command), ...opening }, (place) => work(place, command)),
  );

/** The place that options name. Throws a `Fault` for those that exclude each other. */
function placeOf(command: Command): OptionsOf<typeof PLACE> {
  const place = command.opts<OptionsOf<typeof PLACE>>();
  if (place.dataDir !== undefined && place.table !== undefined)
    throw new Fault('--data-dir and --table exclude each other: name one of them.', 2);
  if (place.endpoint !== undefined && place.table === undefined)
    throw new Fault('--endpoint needs --table: name the table that answers there.', 2);
  return place;
}

function declared(
  [name, about, example, ...operands]: CommandWords,
  options: CliOptions,
  work: (command: Command) => Promise<Outcome>,
): Command {
  const command = withExample(new Command(name), about, example);
  for (const [form, what, check] of operands) {
    const operand = new Argument(form, what);
    command.addArgument(check === undefined ? operand : operand.argParser(check));
  }
  return addOptions(command, options)
    .showHelpAfterError('(--help lists the arguments and options)')
    .action(async () => print(await work(command), command.getOptionValue('json') === true));
}

export function addOptions(command: Command, options: CliOptions): Command {
  for (const [key, option] of Object.entries(options)) command.addOption(optionOf(key, option));
  return command;
}

function optionOf(key: string, { form, about, words, isNeeded = false, usual, read }: CliOption<unknown>): Option {
  const name = key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const flags = form.startsWith('--') ? form : `--${name} ${form}`.trim();
  const option = new Option(flags, about).makeOptionMandatory(isNeeded).default(usual);
  option.attributeName = () => key;
  if (words !== undefined) return option.choices(words);
  return read === undefined ? option : option.argParser(read);
}

/** A command of commands. */
export function group([name, about, example]: CommandWords, ...commands: readonly Command[]): Command {
  const all = withExample(new Command(name), about, example);
  for (const command of commands) all.addCommand(command);
  return all;
}

/** Ends a command's help with an example of its use, or with paragraphs. */
export const withExample = (command: Command, about: string, example: string): Command =>
  command.description(about).addHelpText('after', () => {
    if (example.startsWith('\n')) return example;
    const path: string[] = [];
    for (let one: Command | null = command; one !== null; one = one.parent) path.unshift(one.name());
    return `\nExample:\n  $ npx ${[...path, example].join(' ').trimEnd()}`;
  });

/** Opens the table given by a command's options and the environment. */
export const openForCommand = (options: PlaceOptions): Promise<Place> => openPlace(options, readSettings());

/** Does work on the table and always closes it, also after Ctrl-C, which leaves no turn held. */
async function withPlace<T>(options: PlaceOptions, work: (place: Place) => Promise<T>) {
  const place = await openForCommand(options);
  const stopListening = onEndSignal((exit) =>
    releaseHeld()
      .then(() => place.close())
      .finally(() => process.exit(exit)),
  );
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
