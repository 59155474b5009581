import { Annotations, type App, CfnOutput, Stack, Tags } from 'aws-cdk-lib';
import { groups } from '../../lib/routes.ts';
import { createAlarms } from './alarms.ts';
import { createApi } from './api.ts';
import { createBudget } from './budget.ts';
import { type Deployment, isDisposable } from './context.ts';
import { createDashboard } from './dashboard.ts';
import { addDomain } from './domain.ts';
import { allowPages, createFiles } from './files.ts';
import { createFunction } from './function.ts';
import type { FunctionName } from './permissions.ts';
import { createQueues } from './queue.ts';
import { scheduleCompaction } from './schedule.ts';
import { defineTable } from './table.ts';

/** The whole service as one stack, `SupportService-<stage>`. */
export function createServiceStack(app: App, deployment: Deployment): Stack {
  const { stage } = deployment;
  const stack = new Stack(app, `SupportService-${stage}`, {
    description: `Support-service API (${stage})`,
    terminationProtection: !isDisposable(deployment),
  });
  Tags.of(stack).add('service', 'support-service');
  Tags.of(stack).add('stage', stage);

  const table = defineTable(stack, deployment);
  const create = (name: FunctionName) => createFunction(stack, name, deployment, table);
  const topics = create('topics');
  const macros = create('macros');
  const insights = create('insights');
  const pages = create('console');
  const imports = create('imports');
  const ingest = create('ingest');
  const load = create('load');
  const compact = create('compact');
  const { api, accessLogs } = createApi(stack, deployment, groups, {
    ...{
      topics: topics.live,
      macros: macros.live,
      insights: insights.live,
      imports: imports.live,
      console: pages.live,
    },
  });
  const files = createFiles(stack, deployment, { imports, load, console: pages });
  allowPages(files, api, deployment);
  const queues = createQueues(stack, deployment, ingest);
  scheduleCompaction(stack, compact.live);
  addDomain(stack, deployment, api);

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
  };
  const watched = { api, accessLogs, table, queues, files, functions };
  createDashboard(stack, watched, createAlarms(stack, watched, deployment), deployment);
  createBudget(stack, deployment);
  warn(stack, deployment);

  new CfnOutput(stack, 'TableName', { value: table.tableName, description: 'For npx support … --table' });
  const url = deployment.domain === undefined ? api.url : `https://${deployment.domain}/`;
  new CfnOutput(stack, 'BaseUrl', { value: url, description: 'What clients put before /api/v2' });
  new CfnOutput(stack, 'QueueUrl', { value: queues.queue.queueUrl, description: 'Where live records go' });
  new CfnOutput(stack, 'DeadLetterUrl', { value: queues.deadLetters.queueUrl, description: 'Records refused' });
  new CfnOutput(stack, 'FileBucket', { value: files.bucket.bucketName, description: 'Where files of imports wait' });
  new CfnOutput(stack, 'CompactFunction', { value: compact.live.functionName, description: 'Folds segments' });
  return stack;
}

/** Adds warnings that do not stop the deploy. */
function warn(stack: Stack, deployment: Deployment): void {
  if (isDisposable(deployment) || deployment.alarmEmail !== undefined) return;
  Annotations.of(stack).addWarningV2(
    'support-service:alarmEmail',
    `The alarms of ${deployment.stage} notify no one: add -c alarmEmail=<address>.`,
  );
}
