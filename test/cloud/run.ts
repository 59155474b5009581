import { globalAgent } from 'node:https';
import { type Checks, createChecks } from './checks.ts';
import { cdk } from './deployment.ts';
import { environmentOf } from './environment.ts';
import { type Emulator, installMinistack, startMinistack } from './ministack.ts';
import { type Deployed, tryOut } from './round.ts';

/**
 * `npm run test:cloud`: deploys the service for real and tries it out end to end, on ministack, once as it is and once
 * with IAM enforced; where `AWS_ENDPOINT_URL` is set, on what answers there; with `--aws`, in the account that the
 * environment names. Everything it started or deployed is gone at the end. Ends with 1 when anything failed.
 */
async function main(): Promise<void> {
  const checks = createChecks(console.log, Date.now);
  const begun = Date.now();
  const given = process.env.AWS_ENDPOINT_URL;
  if (process.argv.includes('--aws'))
    await round(checks, 'in the account of the environment', { env: {}, isLong: true });
  else if (given) await round(checks, `on ${given}`, { env: environmentOf(given), isLong: true });
  else await onMinistack(checks);
  const took = Math.round((Date.now() - begun) / 1000);
  console.log(`\ncloud: ${checks.passed} passed, ${checks.failed} failed, ${checks.skipped} skipped (${took} s)`);
  process.exitCode = checks.failed === 0 ? 0 : 1;
}

async function onMinistack(checks: Checks): Promise<void> {
  const before = checks.failed;
  await checks.step('ministack is installed in its virtual environment', installMinistack);
  if (checks.failed > before) return;
  for (const auth of [false, true]) {
    const emulator = await checks.step('ministack starts', () => startMinistack({ auth }));
    if (emulator) await onEmulator(checks, emulator, auth);
  }
}

async function onEmulator(checks: Checks, { env, ca, tail, stop }: Emulator, auth: boolean): Promise<void> {
  const where = auth ? 'on ministack, IAM enforced' : 'on ministack';
  const before = checks.failed;
  const interrupted = () => void stop().finally(() => process.exit(1));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    globalAgent.options.ca = ca;
    await round(checks, where, { env, ca, isLong: auth });
    if (checks.failed > before) console.log(`\nministack wrote last:\n${await tail()}`);
  } finally {
    await stop();
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
  }
}

/** Where a deployment is tried out, and how much of it. */
interface Surroundings extends Pick<Deployed, 'env' | 'isLong'> {
  readonly ca?: string;
}

/** One life of a deployment, from bootstrap to teardown. */
async function round(checks: Checks, where: string, surroundings: Surroundings): Promise<void> {
  console.log(`\n${where}`);
  const tools = cdk(surroundings.env);
  if ((await checks.step('bootstrap', tools.bootstrap)) === undefined) return;
  const deploy = await checks.step('deploy', tools.deploy);
  if (deploy) await tryOut(checks, deployedAt(deploy.outputs, surroundings), tools);
  await checks.step('teardown', tools.destroy);
}

/** Where a deployment answers: an emulator has all its gateways under one address, and takes any host. */
function deployedAt(outputs: Deployed['outputs'], { env, ca, isLong }: Surroundings): Deployed {
  const { hostname, pathname } = new URL(outputs.BaseUrl);
  const stage = pathname.replaceAll('/', '');
  const endpoint = env.AWS_ENDPOINT_URL;
  if (endpoint === undefined) return { outputs, env, ca, isLong, base: outputs.BaseUrl, host: hostname };
  const base = `${endpoint}/_aws/execute-api/${hostname.split('.')[0]}/${stage}`;
  return { outputs, env, ca, isLong, base, host: undefined };
}

await main();
