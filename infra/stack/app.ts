import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { readSettings } from '../../lib/settings.ts';
import { ContextError, readContext } from './context.ts';
import { acknowledge } from './exceptions.ts';
import { createServiceStack } from './service-stack.ts';

/** The program that `cdk` runs: creates the stack of the context's stage, checked by cdk-nag's AwsSolutions pack. */
function main(): void {
  const app = new App();
  const deployment = readContext(app.node.getAllContext(), readSettings().CDK_DEFAULT_REGION);
  acknowledge(createServiceStack(app, deployment), deployment);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}

try {
  main();
} catch (error) {
  if (!(error instanceof ContextError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
