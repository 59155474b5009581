import { Annotations, type App, CfnOutput, Stack, Tags } from 'aws-cdk-lib';
import type { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { groups } from '../../lib/routes.ts';
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
import { createFunction } from './function.ts';
import { createOAuthSecret } from './oauth-secret.ts';
import type { FunctionName } from './permissions.ts';
import { createQueues } from './queue.ts';
import { scheduleCompaction } from './schedule.ts';
import { defineTable } from './table.ts';
import { createWarehouse } from './warehouse.ts';
import { addWebAcl } from './web-acl.ts';

/** The whole service as one stack, `SupportService-<stage>`. */
export function createServiceStack(app: App, deployment: Deployment): Stack {
  const { stage } = deployment;
  const stack = new Stack(app, `SupportService-${stage}`, {
    description: `Support-service API (${stage})`,
    terminationProtection: !isDisposable(deployment),
  });
  Tags.of(stack).add('service', 'support-service');
  Tags.of(stack).add('stage', stage);

  const choice = defineTable(stack, deployment);
  const { table } = choice;
  const create = (name: FunctionName) => createFunction(stack, name, deployment, choice);
  const topics = create('topics');
  const macros = create('macros');
  const insights = create('insights');
  const pages = create('console');
  const imports = create('imports');
  const ingest = create('ingest');
  const load = create('load');
  const compact = create('compact');
  const warehouse = deployment.warehouse === 'on' ? create('warehouse') : undefined;
  const deliver = deployment.mailFrom === undefined ? undefined : create('deliver');
  const { api, accessLogs } = createApi(stack, deployment, groups, {
    ...{
      topics: topics.live,
      macros: macros.live,
      insights: insights.live,
      imports: imports.live,
      console: pages.live,
    },
  });
  const oauthSecret = createOAuthSecret(stack, deployment, { topics, macros, insights, imports });
  const files = createFiles(stack, deployment, { imports, insights, load, console: pages });
  allowPages(files, api, deployment);
  const queues = createQueues(stack, deployment, ingest);
  const deadRuns = scheduleCompaction(stack, deployment, compact);
  const facts = warehouse && createWarehouse(stack, deployment, { warehouse, load });
  if (deliver) createDelivery(stack, deployment, { deliver, insights }, api);
  addDomain(stack, deployment, api);
  addWebAcl(stack, deployment, api);

  const functions = {
    ...{
      topics: topics.code,
      macros: macros.code,
      insights: insights.code,
      imports: imports.code,
      console: pages.code,
      ingest: ingest.code,
      load: load.code,
      compact: compact.code,
    },
    ...(warehouse ? { warehouse: warehouse.code } : {}),
    ...(deliver ? { deliver: deliver.code } : {}),
  };
  const watched = { api, accessLogs, table, queues, files, deadRuns, functions, ...facts };
  createDashboard(stack, watched, createAlarms(stack, watched, deployment), deployment);
  createBudget(stack, deployment);
  shiftTraffic(stack, deployment, { topics, macros, insights, imports, console: pages, ingest });
  tellReserved(stack, deployment);

  writeOutputs(stack, deployment, { ...watched, oauthSecret });
  return stack;
}

/** What an operator, and the test of a deploy, must know of the stack. */
function writeOutputs(
  stack: Stack,
  deployment: Deployment,
  { api, table, queues, files, functions, oauthSecret }: Watched & { readonly oauthSecret: CfnSecret },
): void {
  new CfnOutput(stack, 'TableName', { value: table.tableName, description: 'For npx support … --table' });
  const url = deployment.domain === undefined ? api.url : `https://${deployment.domain}/`;
  new CfnOutput(stack, 'BaseUrl', { value: url, description: 'What clients put before /api/v2' });
  new CfnOutput(stack, 'OAuthSecretName', {
    value: oauthSecret.attrId,
    description: 'For npx support token … --secret',
  });
  new CfnOutput(stack, 'QueueUrl', { value: queues.queue.queueUrl, description: 'Where live records go' });
  new CfnOutput(stack, 'DeadLetterUrl', { value: queues.deadLetters.queueUrl, description: 'Records refused' });
  new CfnOutput(stack, 'FileBucket', { value: files.bucket.bucketName, description: 'Where files of imports wait' });
  for (const [name, { functionName, node }] of Object.entries(functions)) {
    new CfnOutput(stack, `${node.id}Function`, { value: functionName, description: `The function ${name}` });
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
