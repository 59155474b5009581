import { existsSync } from 'node:fs';
import { mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectPath } from '../../../infra/project.ts';
import { type Engine, startEngine } from './engine.ts';

declare global {
  var engine: Engine | undefined;
}

const MEMORY = '/dev/shm'; // where Linux has it, a disk in memory: tests of thousands of commits do not wait for a real one

/**
 * A folder for the tests' tables on the disk, and an engine in memory that speaks like DynamoDB, where this platform has one,
 * unless `TEST_ENDPOINT` names another.
 */
export default async function setUp(): Promise<void> {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  process.env.TEST_FOLDER = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'support-tests-'));
  await symlink(projectPath('node_modules'), join(process.env.TEST_FOLDER, 'node_modules')); // for programs bundled there
  if (process.env.TEST_ENDPOINT) return;
  globalThis.engine = await startEngine();
  if (globalThis.engine) process.env.TEST_ENDPOINT = globalThis.engine.endpoint;
}
