import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A function as it is deployed, bundled, in a process of its own; like Lambda's it does one call after the other. */
export interface Lambda {
  readonly child: ChildProcess;
  readonly lines: Readonly<Record<string, unknown>>[]; // that it logged
  /** Calls it; throws what it threw, as text. */
  call(event: unknown): Promise<unknown>;
  end(): void;
}

const PROGRAM = `
import { createInterface } from 'node:readline';
const { handler } = await import(process.argv[1]);
for await (const line of createInterface({ input: process.stdin })) {
  let outcome;
  try {
    outcome = { reply: (await handler(JSON.parse(line), { getRemainingTimeInMillis: () => 500_000 })) ?? null };
  } catch (error) {
    outcome = { error: String(error) };
  }
  process.stdout.write(JSON.stringify({ outcome }) + '\\n');
}
`;

interface Outcome {
  readonly reply?: unknown;
  readonly error?: string;
}

/** Starts the function of a bundle with an environment. Messages of a queue: `ofQueue`. */
export function startLambda(bundled: string, env: Readonly<Record<string, string>>): Lambda {
  const credentials = { AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, bundled], {
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...credentials, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: Record<string, unknown>[] = [];
  let settle: ((outcome: Outcome) => void) | undefined;
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text);
    if ('outcome' in line) settle?.(line.outcome);
    else lines.push(line);
  });
  const died = once(child, 'exit').then((): Outcome => ({ error: 'the process of the function has ended' }));
  return {
    child,
    lines,
    async call(event) {
      const ended = new Promise<Outcome>((resolve) => {
        settle = resolve;
      });
      child.stdin.write(`${JSON.stringify(event)}\n`);
      const { reply, error } = await Promise.race([ended, died]);
      if (error !== undefined) throw new Error(error);
      return reply;
    },
    end: () => void child.kill('SIGKILL'),
  };
}

/** The event of messages of a queue, as SQS gives it to a function. */
export const ofQueue = (
  ...messages: readonly {
    readonly id: string;
    readonly body: unknown;
    readonly group?: string;
    readonly site?: string;
  }[]
) => ({
  Records: messages.map(({ id, body, group, site }) => ({
    messageId: id,
    receiptHandle: id,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    attributes: { MessageGroupId: group },
    messageAttributes: site === undefined ? {} : { site: { stringValue: site } },
  })),
});
