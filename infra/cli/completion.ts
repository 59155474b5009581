import { Argument, Command } from 'commander';
import { withExample } from './command.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** `completion`: prints a script for a shell to complete commands and options, generated from the commands. */
export function completionCommand(): Command {
  const command = withExample(
    new Command('completion').addHelpText('after', '\nbash: add  source <(npx support completion bash)  to ~/.bashrc'),
    'print a script that completes commands and options in your shell',
    'bash',
  ).addArgument(new Argument('<shell>').choices(SHELLS));
  return command.action((shell: Shell) => {
    const words = wordsOf(command.parent ?? command);
    process.stdout.write(SCRIPTS[shell](words));
  });
}

/** The possible next words, by the words typed so far: `site add` → its options. The first entry is for no words. */
type Words = readonly (readonly [path: string, next: readonly string[]])[];

function wordsOf(command: Command, path: readonly string[] = []): Words {
  const options = command.options.flatMap(({ long }) => (long ? [long] : []));
  const inside = command
    .createHelp()
    .visibleCommands(command)
    .filter((inner) => inner.name() !== 'help');
  const next = [...inside.map((inner) => inner.name()), ...options, '--help'];
  return [[path.join(' '), next], ...inside.flatMap((inner) => wordsOf(inner, [...path, inner.name()]))];
}

const cases = (words: Words): string =>
  words.map(([path, next]) => `    '${path}') next='${next.join(' ')}' ;;`).join('\n');

/** The completion takes the words before the first option as the command. */
const bash = (words: Words): string => `_support() {
  local word path='' next=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) break ;; *) path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${cases(words)}
  esac
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _support support
`;

const SCRIPTS: Readonly<Record<Shell, (words: Words) => string>> = {
  bash,
  zsh: (words) => `autoload -U +X bashcompinit && bashcompinit\n${bash(words)}`,
  fish: (words) =>
    words
      .flatMap(([path, next]) =>
        next.map((word) => {
          const seen = path.split(' ').map((name) => `__fish_seen_subcommand_from ${name}`);
          const typed = path === '' ? '__fish_use_subcommand' : seen.join('; and ');
          const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
          return `complete -c support -n '${typed}' ${what}`;
        }),
      )
      .join('\n')
      .concat('\n'),
};
