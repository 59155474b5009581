import { FAULT_NAMES } from '../support/faults/faulty-client.ts';
import { acceptance } from './acceptance.ts';
import { createChecks } from './checks.ts';

/** `npm run test:faults`: the acceptance suite in process, once under each fault of the cloud. Ends with 1 on a failure. */
const checks = createChecks(console.log, Date.now);
for (const FAULT of FAULT_NAMES) {
  await acceptance(checks, `the acceptance suite under ${FAULT}`, { FAULT }, { workers: 2 });
}
checks.conclude('faults');
