import { type Outcome, outcomeOf, type Taking } from '../../support/generators/unknown/outcome.ts';
import { type PresentState, presentStates } from '../../support/generators/unknown/present-state.ts';

const OUTCOMES = ['right', 'asked', 'named', 'refused', 'wrong'] as const;

/** The same files in other forms, and with every proposal taken. */
const TAKINGS: readonly Taking[] = [{ form: 'xlsx' }, { form: 'ods' }, { proposals: true }];

/** How many files that nobody described end rightly, asked, refused or wrong: `-- first-contact --files 1000 --from 1`. */
export async function bench(options: readonly string[]): Promise<string> {
  const option = (name: string, otherwise: number): number =>
    Number(options[options.indexOf(name) + 1] ?? otherwise) || otherwise;
  const [count, first] = [option('--files', 1_000), option('--from', 1)];
  const all: Outcome[] = [];
  for (let seed = first; seed < first + count; seed += 1) {
    const outcome = await outcomeOf(seed);
    all.push(outcome);
    if (outcome.is === 'wrong' || outcome.is === 'refused') print(told(outcome));
  }
  print(line('all', all));
  print(
    line(
      'that prove all',
      all.filter(({ file }) => file.doubts.length === 0),
    ),
  );
  groups(all, ({ file }) => file.kind);
  groups(all, ({ file }) => file.language);
  groups(all, ({ file }) => file.damage);
  groups(all, ({ file }) => file.clock.name);
  for (const taking of TAKINGS) {
    const taken: Outcome[] = [];
    for (let seed = first; seed < first + count; seed += 1) taken.push(await outcomeOf(seed, taking));
    for (const one of taken) if (one.is === 'wrong' || one.is === 'refused') print(told(one));
    print(line(`${taking.form ?? 'csv'}${taking.proposals ? ', proposals taken' : ''}`, taken));
  }
  const bare: PresentState[] = [];
  for (let seed = first; seed < first + count; seed += 1) bare.push(...(await presentStates(seed)));
  for (const pack of new Set(bare.map((one) => one.pack))) {
    const of = bare.filter((one) => one.pack === pack);
    const wrong = of.filter(({ is }) => is === 'wrong');
    for (const { seed, why } of wrong) print(`wrong: seed ${seed}, ${pack} without its history: ${why}`);
    print(
      `${`${pack}, no history`.padEnd(32)}${String(of.length).padStart(5)}  right ${of.length - wrong.length}  wrong ${wrong.length}`,
    );
  }
  const wrong = all.filter(({ is }) => is === 'wrong').length;
  return `first contact: ${wrong} of ${all.length} files silently wrong, ${mean(all).toFixed(2)} questions a file (0, below 2)`;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const mean = (all: readonly Outcome[]): number =>
  all.reduce((sum, { asked }) => sum + asked.length, 0) / Math.max(1, all.length);

const told = ({ is, file, asked, why }: Outcome): string =>
  `${is}: seed ${file.seed}, ${file.kind}, ${file.language}, ${file.damage}, ${file.clock.name} [${asked.join(' | ')}] ${why}`;

function line(name: string, some: readonly Outcome[]): string {
  const counts = OUTCOMES.map((is) => `${is} ${some.filter((one) => one.is === is).length}`.padEnd(13));
  const most = Math.max(0, ...some.map(({ asked }) => asked.length));
  return `${name.padEnd(24)}${String(some.length).padStart(5)}  ${counts.join('')}questions ${mean(some).toFixed(2)}, at most ${most}`;
}

function groups(all: readonly Outcome[], of: (one: Outcome) => string): void {
  for (const name of new Set(all.map(of)))
    print(
      line(
        `  ${name}`,
        all.filter((one) => of(one) === name),
      ),
    );
}
