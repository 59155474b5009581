import { FAULT_NAMES } from '../support/faults/faulty-client.ts';
import { acceptance } from './acceptance.ts';
import { createChecks } from './checks.ts';

/**
 * `npm run test:faults`: the acceptance suite in process under each fault of the cloud, all of it at `TEST_DEPTH=1`, else
 * a third of it, so that each file meets two faults or three. Ends with 1 on a failure.
 */
const isWhole = process.env.TEST_DEPTH === '1';
const checks = createChecks(console.log, Date.now);
for (const [nth, FAULT] of FAULT_NAMES.entries()) {
  const part = isWhole ? {} : { shard: `${1 + (nth % 3)}/3` };
  await acceptance(checks, `the acceptance suite under ${FAULT}`, { FAULT }, { workers: 2, ...part });
}
checks.conclude('faults');
