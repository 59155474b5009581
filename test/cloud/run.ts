import { randomUUID } from 'node:crypto';
import { globalAgent } from 'node:https';
import { acceptance, WRITING } from './acceptance.ts';
import { awsOptions } from './aws.ts';
import { type Bystander, settle } from './bystander.ts';
import { type Checks, createChecks } from './checks.ts';
import { cdk } from './deployment.ts';
import { doDuties } from './duties.ts';
import { type CloudAthena, openAthena } from './engine.ts';
import { environmentOf } from './environment.ts';
import { lintTemplate } from './linting.ts';
import { SENDER } from './mails.ts';
import { type Emulator, installMinistack, startMinistack } from './ministack.ts';
import { type Deployed, tryEngineAlone, tryOut } from './round.ts';
import { liveAsDocumented } from './staging.ts';

/**
 * `npm run test:cloud`: deploys the service for real and tries it out end to end, on ministack with IAM enforced, and
 * without what IAM keeps that emulator from (mails, a stage that is kept); where `AWS_ENDPOINT_URL` is set, on what
 * answers there; with `--aws`, in the account that the environment names; with `--engine`, nothing but large reports, on
 * ministack. It works in a stage of its own with a random name, leaves all others alone, and destroys its own at the
 * end. Ends with 1 when anything failed.
 */
async function main(): Promise<void> {
  const checks = createChecks(console.log, Date.now);
  const given = process.env.AWS_ENDPOINT_URL;
  if (process.argv.includes('--aws'))
    await round(checks, 'in the account of the environment', { env: {}, isWhole: true });
  else if (given) await round(checks, `on ${given}`, { env: environmentOf(given), isWhole: true });
  else await onMinistack(checks);
  checks.conclude('cloud');
}

async function onMinistack(checks: Checks): Promise<void> {
  const before = checks.failed;
  await checks.step('ministack is installed in its virtual environment', installMinistack);
  if (checks.failed > before) return;
  const onlyEngine = process.argv.includes('--engine');
  if (!onlyEngine) await checks.step('cfn-lint finds nothing in the template', lintTemplate);
  const athena = await openAthena();
  for (const auth of onlyEngine ? [false] : [false, true]) {
    const more = { AWS_ENDPOINT_URL_ATHENA: athena.url };
    const emulator = await checks.step('ministack starts', () => startMinistack({ auth, more }));
    if (emulator) await onEmulator(checks, { ...emulator, athena, onlyEngine }, auth);
  }
  await athena.close();
}

/** An emulator, with what answers for Athena there. */
interface Emulated extends Emulator {
  readonly athena: CloudAthena;
  readonly onlyEngine: boolean; // nothing else is tried
}

async function onEmulator(
  checks: Checks,
  { endpoint, env, ca, tail, stop, athena, onlyEngine }: Emulated,
  auth: boolean,
): Promise<void> {
  const where = auth ? 'on ministack, IAM enforced' : 'on ministack';
  const before = checks.failed;
  const interrupted = () => void stop().finally(() => process.exit(1));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    globalAgent.options.ca = ca;
    const bystander =
      auth || onlyEngine
        ? undefined
        : await checks.step('somebody works with the stage dev', () => settle(env, awsOptions(env, ca)));
    // With IAM enforced it would ask a policy for all identities, and tell it of no sender.
    const mailFrom = auth ? {} : { mailFrom: SENDER };
    await round(checks, where, {
      env,
      ca,
      athena: auth ? undefined : athena,
      onlyEngine,
      isWhole: auth,
      isPoliced: auth,
      gatewayRole: bystander ? 'off' : 'on',
      ...mailFrom,
    });
    // A stage that is kept has no rights where ministack enforces IAM: it tells policies no keys of a table.
    if (!auth && !onlyEngine) await liveAsDocumented(checks, { env, aws: awsOptions(env, ca), endpoint });
    if (bystander) await besideSomebody(checks, bystander, env);
    if (checks.failed > before) console.log(`\nministack wrote last:\n${await tail()}`);
  } finally {
    await stop();
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
  }
}

/** The life and the removal of other stages, and the acceptance suite over HTTP, leave a deployment as it was. */
async function besideSomebody(checks: Checks, bystander: Bystander, env: Deployed['env']): Promise<void> {
  const { outputs, account, untouched } = bystander;
  const { base } = deployedAt('dev', outputs, { env, isWhole: false });
  await checks.step('the stage dev is as it was before the other stages', untouched);
  const files = { files: WRITING };
  const whole = { ...env, API_URL: base, TABLE_NAME: outputs.TableName };
  await acceptance(checks, 'the acceptance of what is written, over HTTP', whole, files);
  await checks.step('the stage dev is as it was before the acceptance suite', untouched);
  const alone = { ...env, API_URL: base, ...account };
  await acceptance(checks, 'the acceptance of what is written, by credentials alone', alone, files);
  await checks.step('the stage dev is as it was, save for the site of these credentials', untouched);
}

/** Where a deployment is tried out, and how much of it. */
interface Surroundings extends Pick<Deployed, 'env' | 'isWhole'> {
  readonly ca?: string;
  readonly gatewayRole?: 'on' | 'off'; // the account's role is another stack's
  readonly mailFrom?: string; // the sender, where mails are tried
  readonly athena?: CloudAthena | undefined;
  readonly onlyEngine?: boolean;
  readonly isPoliced?: boolean; // whether IAM is enforced, and users can be made
}

/** One life of a deployment, from its deploy to its teardown, which comes whatever happened. */
async function round(checks: Checks, where: string, surroundings: Surroundings): Promise<void> {
  const { env, ca, gatewayRole = 'off', mailFrom, isPoliced } = surroundings;
  const run = randomUUID().slice(0, 8);
  const name = `dev-test-${run}`;
  console.log(`\n${where}, stage ${name}`);
  // Each step of an import merges one group, so that a file of a few megabytes takes several on any machine.
  const emulator = env.AWS_ENDPOINT_URL === undefined ? 'off' : 'on';
  const mails = mailFrom === undefined ? {} : { mailFrom };
  const context = { importStepSeconds: '0', gatewayRole, emulator, warehouse: 'on', ...mails };
  const tools = cdk({ name, tag: run, context, env, aws: awsOptions(env, ca) });
  const before = checks.failed;
  await checks.step('the account is bootstrapped', tools.bootstrap);
  if (checks.failed > before) return;
  const interrupted = () => {
    console.log(`\nInterrupted. What is left: npx cdk destroy -c stage=${name}`);
    if (ca === undefined) process.exit(1); // else the emulator ends, and all of it with it
  };
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  const deploy = await checks.step('deploy', () => tools.deploy());
  if (deploy) {
    const left = await (surroundings.onlyEngine ? tryEngineAlone : tryOut)(
      checks,
      deployedAt(name, deploy.outputs, surroundings),
      tools,
    ).catch((why: unknown) => why);
    if (left !== undefined) await checks.step('the steps go on to their end', () => Promise.reject(left));
  }
  if (deploy && isPoliced) await doDuties(checks, name, tools.tags, env);
  await checks.step('teardown', tools.destroy);
  process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
}

/** Where a deployment answers: an emulator has all its gateways under one address, and takes any host. */
function deployedAt(stage: string, outputs: Deployed['outputs'], { env, ca, isWhole, athena }: Surroundings): Deployed {
  const { hostname } = new URL(outputs.BaseUrl);
  const place = { stage, outputs, env, ca, isWhole, athena };
  const endpoint = env.AWS_ENDPOINT_URL;
  if (endpoint === undefined) return { ...place, base: outputs.BaseUrl, host: hostname };
  return { ...place, base: `${endpoint}/_aws/execute-api/${hostname.split('.')[0]}/${stage}`, host: undefined };
}

await main();
