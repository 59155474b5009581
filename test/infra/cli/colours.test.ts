import { spawnSync } from 'node:child_process';

const COLOUR = '\u001b[';
const RED = `${COLOUR}31m`;

/** One that the parser of commands refuses, and one that we do. */
const WRONG = ['node bin/support.js no-command', 'node bin/support.js site list --data-dir /proc/nowhere'];

/** What a terminal shows of a command; undefined where there is no program that plays a terminal. */
function onTerminal(command: string, env: Readonly<Record<string, string>> = {}): string | undefined {
  const { PATH = '' } = process.env; // no more of it: `CI`, say, is taken for a terminal without colours
  const { error, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
    env: { PATH, TERM: 'xterm-256color', ...env },
    encoding: 'utf8',
  });
  return error === undefined ? stdout : undefined;
}

const itOnTerminal = process.platform === 'linux' && onTerminal('true') !== undefined ? it : it.skip;

itOnTerminal.each(WRONG)('says what went wrong in red on a terminal, unless it wants no colours: %s', (command) => {
  expect(onTerminal(command)).toContain(RED);
  expect(onTerminal(command, { NO_COLOR: '1' })).not.toContain(COLOUR);
});

it.each(WRONG)('puts no colours into a file: %s', (command) => {
  const [program = '', ...args] = command.split(' ');
  const { stderr } = spawnSync(program, args, { encoding: 'utf8' });
  expect(stderr).not.toBe('');
  expect(stderr).not.toContain(COLOUR);
});
