import cliProgress from 'cli-progress';
import { printable } from '../../lib/text.ts';

/** The progress of a piece of work. */
export interface ProgressStep {
  readonly doing: string; // a word for the work; a new word starts a new piece of work
  readonly done: number; // of `total`, in its unit
  readonly total: number | undefined; // undefined: unknown
  readonly events?: number; // events that this piece of work has processed
  readonly rows?: number; // rows instead, before they are events
}

/** Shows progress on standard error: a bar on a terminal, otherwise a line from time to time. */
export interface Progress {
  readonly show: (step: ProgressStep) => void;
  /** Prints a line besides the progress. */
  readonly say: (line: string) => void;
  readonly end: () => void;
}

type Screen = Pick<NodeJS.WriteStream, 'isTTY' | 'write'> & NodeJS.WritableStream;

/** Between two lines, ms. */
const PAUSE = 5_000;

/** Opens the display; `clock` returns epoch ms. */
export function openProgress(screen: Screen, clock: () => number): Progress {
  return screen.isTTY ? withBar(screen, clock) : withLines(screen, clock);
}

function withLines(screen: Screen, clock: () => number): Progress {
  const describe = describer(clock);
  let due = clock() + PAUSE;
  return {
    show: (step) => {
      const text = describe(step);
      if (clock() < due) return;
      due = clock() + PAUSE;
      screen.write(`${text}\n`);
    },
    say: (line) => void screen.write(`${printable(line)}\n`),
    end: () => undefined,
  };
}

function withBar(screen: Screen, clock: () => number): Progress {
  const describe = describer(clock);
  const bar = new cliProgress.SingleBar(
    { stream: screen, format: '{bar} {text}', hideCursor: true, clearOnComplete: true },
    cliProgress.Presets.shades_classic,
  );
  let started = false;
  return {
    show: (step) => {
      const text = describe(step);
      const share = step.total ? Math.round((1_000 * step.done) / step.total) : 0;
      if (started) bar.update(share, { text });
      else bar.start(1_000, share, { text });
      started = true;
    },
    say: (line) => void screen.write(`\r\u001b[K${printable(line)}\n`),
    end: () => bar.stop(),
  };
}

/** Returns a function that describes steps. A piece of work starts at the last step of the one before it. */
function describer(clock: () => number): (step: ProgressStep) => string {
  let doing: string | undefined;
  let since = clock();
  let heard = since;
  return (step) => {
    if (doing !== undefined && doing !== step.doing) since = heard;
    doing = step.doing;
    heard = clock();
    return printable(describeStep(step, (heard - since) / 1000));
  };
}

/** `reading 45 %, 61,000 events, 56,000/s, 12 s left` after so many seconds. */
export function describeStep({ doing, done, total, events, rows }: ProgressStep, seconds: number): string {
  const count = events ?? rows ?? 0;
  const left = total !== undefined && done > 0 ? (seconds * (total - done)) / done : undefined;
  return [
    total === undefined || total === 0 ? doing : `${doing} ${Math.floor((100 * done) / total)} %`,
    `${grouped(count)} ${events === undefined ? 'rows' : 'events'}`,
    ...(seconds > 0 ? [`${grouped(Math.round(count / seconds))}/s`] : []),
    ...(left === undefined ? [] : [`${elapsed(left)} left`]),
  ].join(', ');
}

export const grouped = (count: number): string => count.toLocaleString('en-US');

/** `12 s`, `3 min 5 s`, `2 h 4 min`. */
export function elapsed(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
