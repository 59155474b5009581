import { App, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { readContext } from '../../../infra/stack/context.ts';
import { createServiceStack } from '../../../infra/stack/service-stack.ts';

// The CDK's own rules take 10 s of processor time and only warn, which no test reads. `cdk deploy` enforces them
// (cdk.json).
process.env.CDK_VALIDATION = 'false';

/** Synthesizes the stack for a context, without bundling the functions. */
export function synthesize(context: Readonly<Record<string, string>>): { stack: Stack; template: Template } {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  const stack = createServiceStack(app, readContext(context));
  return { stack, template: Template.fromStack(stack) };
}
