import { Annotations, type App, CfnOutput, Stack, Tags } from 'aws-cdk-lib';
import type { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { createAlarms, type Watched } from './alarms.ts';
import { createApi } from './api.ts';
import { createBudget } from './budget.ts';
import { shiftTraffic } from './canary.ts';
import { isReserved, reservedTogether } from './concurrency.ts';
import { type Deployment, isDisposable } from './context.ts';
import { createDashboard } from './dashboard.ts';
import { createDelivery } from './delivery.ts';
import { addDomain } from './domain.ts';
import { allowPages, createFiles } from './files.ts';
import { createFunctions } from './function.ts';
import { createConnectionSecret, createOAuthSecret } from './key-secrets.ts';
import { stackName } from './memory.ts';
import { schedulePulls } from './pulls.ts';
import { createQueues } from './queue.ts';
import { scheduleCompaction } from './schedule.ts';
import { defineTable } from './table.ts';
import { createWarehouse } from './warehouse.ts';
import { addWebAcl } from './web-acl.ts';

/** The whole service as one stack, `SupportService-<stage>`. */
export function createServiceStack(app: App, deployment: Deployment): Stack {
  const { stage } = deployment;
  const stack = new Stack(app, stackName(stage), {
    description: `Support-service API (${stage})`,
    terminationProtection: !isDisposable(deployment),
  });
  Tags.of(stack).add('service', 'support-service');
  Tags.of(stack).add('stage', stage);

  const choice = defineTable(stack, deployment);
  const { table } = choice;
  const functions = createFunctions(stack, deployment, choice);
  const { api, accessLogs } = createApi(stack, deployment, functions);
  const oauthSecret = createOAuthSecret(stack, deployment, functions);
  const connectionSecret = createConnectionSecret(stack, deployment, functions);
  const files = createFiles(stack, deployment, functions);
  allowPages(files, api, deployment);
  const queues = createQueues(stack, deployment, functions);
  const deadRuns = scheduleCompaction(stack, deployment, functions);
  const { deadPulls } = schedulePulls(stack, deployment, functions);
  const facts = createWarehouse(stack, deployment, functions);
  createDelivery(stack, deployment, functions, api);
  addDomain(stack, deployment, api);
  addWebAcl(stack, deployment, api);

  const watched = { api, accessLogs, table, queues, files, deadRuns, deadPulls, functions, ...facts };
  createDashboard(stack, watched, createAlarms(stack, watched, deployment), deployment);
  createBudget(stack, deployment);
  shiftTraffic(stack, deployment, functions);
  tellReserved(stack, deployment);

  writeOutputs(stack, deployment, { ...watched, oauthSecret, connectionSecret });
  return stack;
}

/** What an operator, and the test of a deploy, must know of the stack. */
function writeOutputs(
  stack: Stack,
  deployment: Deployment,
  {
    api,
    accessLogs,
    table,
    queues,
    files,
    deadRuns,
    deadPulls,
    deadExports,
    functions,
    oauthSecret,
    connectionSecret,
  }: Watched & { readonly oauthSecret: CfnSecret; readonly connectionSecret: CfnSecret },
): void {
  new CfnOutput(stack, 'TableName', { value: table.tableName, description: 'For npx support … --table' });
  const url = deployment.domain === undefined ? api.url : `https://${deployment.domain}/`;
  new CfnOutput(stack, 'BaseUrl', { value: url, description: 'What clients put before /api/v2' });
  new CfnOutput(stack, 'OAuthSecretName', {
    value: oauthSecret.attrId,
    description: 'For npx support token … --secret',
  });
  new CfnOutput(stack, 'ConnectionSecretName', {
    value: connectionSecret.attrId,
    description: 'For npx support … as CONNECTION_SECRET',
  });
  new CfnOutput(stack, 'QueueUrl', { value: queues.queue.queueUrl, description: 'Where live records go' });
  new CfnOutput(stack, 'DeadLetterUrl', { value: queues.deadLetters.queueUrl, description: 'Records refused' });
  new CfnOutput(stack, 'DeadStepsUrl', { value: files.deadSteps.queueUrl, description: 'Steps of imports that died' });
  new CfnOutput(stack, 'DeadPullsUrl', { value: deadPulls.queueUrl, description: 'Pulls of help desks that died' });
  new CfnOutput(stack, 'DeadRunsUrl', { value: deadRuns.queueUrl, description: 'Compactions that failed' });
  if (deadExports)
    new CfnOutput(stack, 'DeadExportsUrl', { value: deadExports.queueUrl, description: 'Exports that failed' });
  new CfnOutput(stack, 'FileBucket', { value: files.bucket.bucketName, description: 'Where files of imports wait' });
  new CfnOutput(stack, 'AccessLogGroup', { value: accessLogs.logGroupName, description: 'The log of all requests' });
  for (const [name, { code, logGroup }] of Object.entries(functions)) {
    new CfnOutput(stack, `${code.node.id}Function`, { value: code.functionName, description: `The function ${name}` });
    new CfnOutput(stack, `${code.node.id}LogGroup`, {
      value: logGroup.logGroupName,
      description: `The log of ${name}`,
    });
  }
}

/** Says what of the account's concurrency the functions reserve, unless the context tells the account's limit. */
function tellReserved(stack: Stack, deployment: Deployment): void {
  if (!isReserved(deployment) || deployment.accountConcurrency !== undefined) return;
  const calls = reservedTogether(deployment);
  Annotations.of(stack).addInfo(
    `The functions reserve ${calls} of the 1000 concurrent calls that an account usually has. New accounts have 10: there add -c accountConcurrency=10.`,
  );
}
