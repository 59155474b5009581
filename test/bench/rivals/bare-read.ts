import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ReportBody } from '../../support/oracle/example.ts';

/** The ms that a new process takes only to read all segments that a report reads. */
export async function bareReadMs(dataDir: string, body: ReportBody): Promise<number> {
  const program = fileURLToPath(new URL('./bare-read-process.ts', import.meta.url));
  const child = fork(program, [dataDir, JSON.stringify(body)]);
  const [ms] = await once(child, 'message');
  await once(child, 'exit');
  return Number(ms);
}
