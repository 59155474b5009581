import { readFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { Command, CommanderError } from 'commander';
import { ownJson } from '../../lib/own-json.ts';
import { printable, withoutPasswords } from '../../lib/text.ts';
import { projectPath } from '../project.ts';
import { auditCommand } from './audit.ts';
import { compactCommand } from './compact.ts';
import { completionCommand } from './completion.ts';
import { connectCommand, connectionCommand } from './connection.ts';
import { copyCommand } from './copy.ts';
import { doctorCommand } from './doctor.ts';
import { eraseCommand } from './erase.ts';
import { toFault } from './explain.ts';
import { importCommand } from './import/import.ts';
import { mappingCommand } from './import/mapping.ts';
import { removeSourceCommand, workOnImportCommand } from './import/work-on-import.ts';
import { membersCommand } from './members.ts';
import { calendarCommand, slaCommand } from './records.ts';
import { casesCommand } from './report/cases.ts';
import { reportCommand } from './report/report.ts';
import { restoreCommand } from './restore.ts';
import { siteCommand } from './site.ts';
import { sourceCommand } from './source.ts';
import { startCommand } from './start.ts';
import { tokenCommand } from './token.ts';
import { userCommand } from './user.ts';
import { warehouseCommand } from './warehouse.ts';

/** The command line (docs/interface.md): one entry for each command. */
const COMMANDS = [
  startCommand,
  siteCommand,
  userCommand,
  tokenCommand,
  auditCommand,
  importCommand,
  mappingCommand,
  sourceCommand,
  connectCommand,
  connectionCommand,
  eraseCommand,
  reportCommand,
  casesCommand,
  membersCommand,
  compactCommand,
  calendarCommand,
  slaCommand,
  warehouseCommand,
  copyCommand,
  restoreCommand,
  doctorCommand,
  completionCommand,
];

/** Runs one command; returns the exit status: 0 done, 1 failed or lines rejected, 2 wrong usage. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const program = adapted(
    new Command('support')
      .description('The support-service API: serve it, set up its sites and users, import histories, report on them.')
      .version(version())
      .addHelpText('after', '\nExample:\n  $ npx support start'),
  );
  for (const command of COMMANDS) program.addCommand(adapted(command()));
  for (const command of [workOnImportCommand, removeSourceCommand])
    program.addCommand(adapted(command()), { hidden: true });
  process.stdout.on('error', () => undefined); // the reader, such as head, may close it early
  try {
    await program.parseAsync([...args], { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return explain(error);
  }
}

const version = (): string => ownJson<{ version: string }>(readFileSync(projectPath('package.json'), 'utf8')).version;

/**
 * Makes a command and its subcommands throw instead of ending the process, and print errors in colour: Commander needs
 * this set for each command.
 */
function adapted(command: Command): Command {
  command
    .exitOverride()
    .configureOutput({ outputError: (message, write) => write(asError(printable(withoutPasswords(message)))) });
  for (const inner of command.commands) adapted(inner);
  return command;
}

/** Prints one sentence about an error; returns the exit status. */
function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // Commander has printed it
  const { message, exit } = toFault(error);
  process.stderr.write(`${asError(printable(message))}\n`);
  return exit;
}

/** Red on a terminal with colours. */
const asError = (message: string): string =>
  process.stderr.isTTY && process.stderr.hasColors() ? styleText('red', message) : message;
