import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { readSettings } from '../../lib/settings.ts';
import { ContextError, ownContext, readContext } from './context.ts';
import { acknowledge } from './exceptions.ts';
import { readMemory, recall, remember, tellTaken } from './memory.ts';
import { createServiceStack } from './service-stack.ts';

/** The program that `cdk` runs: creates the stack of the context's stage with the settings that it remembers, checked by cdk-nag's AwsSolutions pack. */
async function main(): Promise<void> {
  const app = new App();
  const { CDK_DEFAULT_REGION: region, AWS_ENDPOINT_URL: endpoint } = readSettings();
  const { stage, context } = ownContext(app.node.getAllContext());
  const memory = await readMemory(stage, region);
  const recalled = recall(context, memory);
  const deployment = readContext({ stage, ...recalled.settings }, region);
  const stack = createServiceStack(app, { ...deployment, endpoint });
  remember(stack, stage, memory, recalled);
  tellTaken(stack, context, recalled);
  acknowledge(stack, deployment);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}

try {
  await main();
} catch (error) {
  if (!(error instanceof ContextError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
