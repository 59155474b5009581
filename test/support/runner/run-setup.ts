import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectPath } from '../../../infra/project.ts';
import { hashPassword } from '../../../lib/access/passwords/passwords.ts';
import { refuseFullSite, sender } from '../service/account-site.ts';
import { readDeployed } from '../service/deployed.ts';
import { startEngine } from '../service/engine.ts';
import { rememberEngine } from './run-teardown.ts';

const MEMORY = '/dev/shm'; // a file system in memory on Linux, so that tests with thousands of commits do not wait for a disk

/**
 * Makes a folder for the tests' LMDB tables, and starts an engine in memory with DynamoDB's interface, if this platform
 * has one and `TEST_ENDPOINT` does not name another.
 */
export default async function setUp(): Promise<void> {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  process.env.TEST_FOLDER = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'support-tests-'));
  process.env.TMPDIR = await mkdtemp(join(tmpdir(), 'support-tests-')); // what tests leave there goes with the run
  await chmod(process.env.TMPDIR, 0o711); // PostgreSQL, which refuses root, works there as another user
  await symlink(projectPath('node_modules'), join(process.env.TEST_FOLDER, 'node_modules')); // for the programs that are bundled there
  if (process.env.API_URL) await setUpDeployed();
  const engine = process.env.TEST_ENDPOINT ? undefined : await startEngine();
  if (engine) process.env.TEST_ENDPOINT = engine.endpoint;
  rememberEngine(engine);
}

/** Chooses the names of the sites that this run makes in a deployment, and the password of their users. */
async function setUpDeployed(): Promise<void> {
  process.env.TEST_RUN = `acceptance-${randomUUID().slice(0, 8)}`;
  const password = randomUUID();
  process.env.TEST_PASSWORD = JSON.stringify({ password, hash: await hashPassword(password) });
  const deployed = readDeployed();
  if (deployed?.account) await refuseFullSite(sender(deployed.url, deployed.account), deployed.account.login);
}
