import { type App, CfnOutput, Stack, Tags } from 'aws-cdk-lib';
import { groups } from '../../lib/routes.ts';
import { createAlarms } from './alarms.ts';
import { createApi } from './api.ts';
import type { Deployment } from './context.ts';
import { createDashboard } from './dashboard.ts';
import { addDomain } from './domain.ts';
import { createFunction } from './function.ts';
import type { FunctionName } from './permissions.ts';
import { createQueues } from './queue.ts';
import { scheduleCompaction } from './schedule.ts';
import { createTable } from './table.ts';

/** The whole service as one stack, `SupportService-<stage>`. */
export function createServiceStack(app: App, deployment: Deployment): Stack {
  const { stage } = deployment;
  const stack = new Stack(app, `SupportService-${stage}`, {
    description: `Support-service API (${stage})`,
    terminationProtection: stage !== 'dev',
  });
  Tags.of(stack).add('service', 'support-service');
  Tags.of(stack).add('stage', stage);

  const table = createTable(stack, deployment);
  const create = (name: FunctionName) => createFunction(stack, name, deployment, table);
  const functions = {
    topics: create('topics'),
    macros: create('macros'),
    insights: create('insights'),
    ingest: create('ingest'),
    compact: create('compact'),
  };
  const api = createApi(stack, deployment, groups, functions);
  const queues = createQueues(stack, functions.ingest);
  scheduleCompaction(stack, functions.compact);
  addDomain(stack, deployment, api);

  const watched = { api, table, queues, functions };
  createDashboard(stack, watched, createAlarms(stack, watched, deployment), deployment);

  new CfnOutput(stack, 'TableName', { value: table.tableName, description: 'For npx support … --table' });
  const url = deployment.domain === undefined ? api.url : `https://${deployment.domain}/`;
  new CfnOutput(stack, 'BaseUrl', { value: url, description: 'What clients put before /api/v2' });
  new CfnOutput(stack, 'QueueUrl', { value: queues.queue.queueUrl, description: 'Where live records go' });
  new CfnOutput(stack, 'DeadLetterUrl', { value: queues.deadLetters.queueUrl, description: 'Records refused' });
  new CfnOutput(stack, 'CompactFunction', { value: functions.compact.functionName, description: 'Folds segments' });
  return stack;
}
