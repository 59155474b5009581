import { readFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { Command, CommanderError } from 'commander';
import { projectPath } from '../project.ts';
import { auditCommand } from './audit.ts';
import { casesCommand } from './cases.ts';
import { compactCommand } from './compact.ts';
import { completionCommand } from './completion.ts';
import { copyCommand } from './copy.ts';
import { doctorCommand } from './doctor.ts';
import { eraseCommand } from './erase.ts';
import { toFault } from './explain.ts';
import { importCommand } from './import.ts';
import { mappingCommand } from './mapping.ts';
import { membersCommand } from './members.ts';
import { calendarCommand, slaCommand } from './records.ts';
import { reportCommand } from './report.ts';
import { siteCommand } from './site.ts';
import { sourceCommand } from './source.ts';
import { startCommand } from './start.ts';
import { tokenCommand } from './token.ts';
import { userCommand } from './user.ts';
import { workOnImportCommand } from './work-on-import.ts';

/** The command line (docs/interface.md): a command is one entry here. */
const COMMANDS = [
  startCommand,
  siteCommand,
  userCommand,
  tokenCommand,
  auditCommand,
  importCommand,
  mappingCommand,
  sourceCommand,
  eraseCommand,
  reportCommand,
  casesCommand,
  membersCommand,
  compactCommand,
  calendarCommand,
  slaCommand,
  copyCommand,
  doctorCommand,
  completionCommand,
];

/** Runs one command; returns the exit status: 0 done, 1 failed or lines rejected, 2 used wrongly. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const program = adapted(
    new Command('support')
      .description('The support-service API: serve it, set up its sites and users, import histories, report on them.')
      .version(version())
      .addHelpText('after', '\nExample:\n  $ npx support start'),
  );
  for (const command of COMMANDS) program.addCommand(adapted(command()));
  program.addCommand(adapted(workOnImportCommand()), { hidden: true });
  process.stdout.on('error', () => undefined); // whoever reads it, such as head, may have had enough
  try {
    await program.parseAsync([...args], { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return explain(error);
  }
}

const version = (): string => JSON.parse(readFileSync(projectPath('package.json'), 'utf8')).version;

/** Commander ends the process and writes errors without colour unless told not to, each command for itself. */
function adapted(command: Command): Command {
  command.exitOverride().configureOutput({ outputError: (message, write) => write(asError(message)) });
  for (const inner of command.commands) adapted(inner);
  return command;
}

/** Says in one sentence what went wrong; returns the exit status. */
function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // it has said so itself
  const { message, exit } = toFault(error);
  process.stderr.write(`${asError(message)}\n`);
  return exit;
}

/** Red where a terminal wants colours. */
const asError = (message: string): string =>
  process.stderr.isTTY && process.stderr.hasColors() ? styleText('red', message) : message;
