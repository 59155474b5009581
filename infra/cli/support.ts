import { Command, CommanderError } from 'commander';
import { Failure } from '../../lib/errors.ts';
import { Fault } from '../fault.ts';
import { compactCommand } from './compact.ts';
import { copyCommand } from './copy.ts';
import { importCommand } from './import.ts';
import { reportCommand } from './report.ts';
import { siteCommand } from './site.ts';
import { startCommand } from './start.ts';
import { userCommand } from './user.ts';

/** The command line (contract.md, Running it): a command is one entry here. */
const COMMANDS = [startCommand, siteCommand, userCommand, importCommand, reportCommand, compactCommand, copyCommand];

/** Runs one command; returns the exit status: 0 done, 1 failed or lines rejected, 2 used wrongly. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const program = withoutExits(
    new Command('support')
      .description('The support-service API: serve it, set up its sites and users, import histories, report on them.')
      .addHelpText('after', '\nExample:\n  $ npx support start'),
  );
  for (const command of COMMANDS) program.addCommand(withoutExits(command()));
  process.stdout.on('error', () => undefined); // whoever reads it, such as head, may have had enough
  try {
    await program.parseAsync([...args], { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return explain(error);
  }
}

/** Commander ends the process unless told not to, each command for itself. */
function withoutExits(command: Command): Command {
  command.exitOverride();
  for (const inner of command.commands) withoutExits(inner);
  return command;
}

/** Says in one sentence what went wrong; returns the exit status. */
function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // it has said so itself
  const { message, exit } = toFault(error);
  process.stderr.write(`${message}\n`);
  return exit;
}

const SILENT = 'The table does not answer: is its endpoint right, and does it run?';

/** What people can do about faults of the table, by the name or code of the error. */
const TABLE_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: SILENT,
  EHOSTUNREACH: SILENT,
  ENETUNREACH: SILENT,
  ETIMEDOUT: SILENT,
  ENOTFOUND: SILENT,
  ResourceNotFoundException: 'There is no such table: check --table or TABLE_NAME, and the region.',
  CredentialsProviderError:
    'There are no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  'Region is missing': 'There is no AWS region: set AWS_REGION.',
};

function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (!(error instanceof Error)) return new Fault(String(error));
  const cause = error instanceof Failure && error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause ? String(cause.code) : '';
  const unavailable = error instanceof Failure && error.kind === 'unavailable' ? SILENT : undefined;
  return new Fault(
    TABLE_FAULTS[code] ?? TABLE_FAULTS[cause.name] ?? TABLE_FAULTS[cause.message] ?? unavailable ?? error.message,
  );
}
