import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ContextError, readContext } from './context.ts';
import { createServiceStack } from './service-stack.ts';

/** What `cdk` runs: the stack of the stage that the context names, checked by cdk-nag's AwsSolutions pack. */
function main(): void {
  const app = new App();
  createServiceStack(
    app,
    readContext((name) => app.node.tryGetContext(name)),
  );
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}

try {
  main();
} catch (error) {
  if (!(error instanceof ContextError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
