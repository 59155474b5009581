import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { leaveCoresToReports } from '../../../infra/local/v8-flags.ts';

it('sets flags that this V8 knows, and none for versions that may not know them', () => {
  expect(leaveCoresToReports('12.4.254.21-node.33')).toEqual([]);
  const known = execFileSync(process.execPath, ['--v8-options']).toString();
  for (const flag of leaveCoresToReports()) expect(known).toContain(flag.replace('--no-', '--').replace(/=.*/, ' '));
});
