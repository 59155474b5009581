import { join } from 'node:path';
import {
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTagsOfResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { withFolder } from '../support/service/program.ts';
import type { AwsOptions } from './aws.ts';
import type { Client } from './client.ts';
import type { Tools } from './deployment.ts';
import { type DeployedTable, type Support, tableOptions } from './moving.ts';

/** A deployment's sites, and what one of them shows its users. */
interface Shown {
  readonly sites: readonly string[];
  readonly client: Client;
  readonly paths: readonly string[];
  readonly report: Readonly<Record<string, unknown>>;
}

async function answersOf({ client, paths, report }: Omit<Shown, 'sites'>): Promise<string> {
  const lists: unknown[] = [];
  for (const path of paths) lists.push(await client.get(path));
  return JSON.stringify([lists, await client.report(report)]);
}

/**
 * Copies a deployed table into a folder, loses every site of the deployment, and brings the copy back (docs/backup.md): the API
 * must answer as before, and must not in between.
 */
export async function loseAndRestore(
  support: Support,
  table: DeployedTable,
  { sites, client, paths, report }: Shown,
): Promise<void> {
  const answers = () => answersOf({ client, paths, report });
  await withFolder(async (folder) => {
    const copy = join(folder, 'copy');
    const before = await answers();
    await support(['copy', ...tableOptions('', table), '--to-data-dir', copy]);
    for (const name of sites) await support(['site', 'remove', name, '--yes', ...tableOptions('', table)]);
    const lost = await answers().catch((error: unknown) => String(error));
    if (!lost.includes(': 404 ')) throw new Error(`after the loss the API still answers ${lost}`);
    await support(['copy', '--data-dir', copy, ...tableOptions('to-', table)]);
    const after = await answers();
    if (after !== before) throw new Error(`${before}\nbecame ${after}`);
  });
}

/**
 * Restores the table from its continuous backup and deploys it (docs/backup.md). It is kept as its origin is, the API
 * answers as before, a later deploy stays with it, and one that goes back without saying so twice is refused. Without sites it is unhealthy. Then the
 * stack's own table is used again.
 */
export async function restoreAndKeep(
  support: Support,
  { name, endpoint }: DeployedTable,
  { tools, aws }: { readonly tools: Tools; readonly aws: AwsOptions },
  { sites, ...shown }: Shown,
): Promise<void> {
  const restored = `${tools.stack}-restored`;
  const before = await answersOf(shown);
  const client = new DynamoDBClient(aws);
  const protect = (TableName: string, DeletionProtectionEnabled: boolean) =>
    client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled }));
  await protect(name, true); // as in a stage that is kept
  await keep(client, name);
  await support(['restore', '--to', restored, ...tableOptions('', { name, endpoint })]);
  await keptAs(client, name, restored);
  await protect(name, false);
  const { outputs } = await tools.deploy('-c', `table=${restored}`, '--parameters', `TableInUse=${restored}`);
  if (outputs.TableName !== restored) throw new Error(`the deploy uses ${outputs.TableName}`);
  const later = await tools.deploy();
  if (later.outputs.TableName !== restored) throw new Error(`a later deploy uses ${later.outputs.TableName}`);
  const back = await tools.deploy('-c', 'table=own').then(
    () => 'nothing',
    (error: unknown) => String(error),
  );
  if (!back.includes('This deploy would use the table own')) throw new Error(`refused with: ${back}`);
  const after = await answersOf(shown);
  if (after !== before) throw new Error(`${before}\nbecame ${after}`);
  await shown.client.ask('GET', '/health');
  for (const site of sites)
    await support(['site', 'remove', site, '--yes', ...tableOptions('', { name: restored, endpoint })]);
  const health = await shown.client.ask('GET', '/health').catch((error: unknown) => String(error));
  if (typeof health !== 'string' || !health.includes('503') || !health.includes('no sites'))
    throw new Error(`without sites /health says ${JSON.stringify(health)}`);
  await tools.deploy('-c', 'table=own', '--parameters', 'TableInUse=own');
  const again = await answersOf(shown);
  if (again !== before) throw new Error(`with the stack's own table\n${before}\nbecame ${again}`);
  await protect(restored, false);
  await client.send(new DeleteTableCommand({ TableName: restored }));
}

/** Has a table kept as the stack says; an emulator's CloudFormation sets neither. */
async function keep(client: DynamoDBClient, TableName: string): Promise<void> {
  const { timeToLive, backups } = await upkeepOf(client, TableName);
  if (!timeToLive) {
    const TimeToLiveSpecification = { Enabled: true, AttributeName: 'ttl' };
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  }
  if (!backups) {
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
    await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  }
}

/** Throws unless a restored table has the TTL, continuous backups, tags and protection of its origin, which has all of them. */
async function keptAs(client: DynamoDBClient, origin: string, restored: string): Promise<void> {
  const [wanted, found] = [await upkeepOf(client, origin), await upkeepOf(client, restored)];
  const lacking = Object.entries(wanted).flatMap(([name, value]) => (value ? [] : [name]));
  if (lacking.length > 0) throw new Error(`${origin} itself lacks: ${lacking.join(', ')}`);
  if (JSON.stringify(found) !== JSON.stringify(wanted))
    throw new Error(`${JSON.stringify(wanted)} became ${JSON.stringify(found)}`);
}

/** What keeps a table, beside its items; what it lacks is empty. */
async function upkeepOf(client: DynamoDBClient, TableName: string) {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const { TimeToLiveDescription: ttl } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  const { ContinuousBackupsDescription } = await client.send(new DescribeContinuousBackupsCommand({ TableName }));
  const backups = ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus;
  const { Tags = [] } = await client.send(new ListTagsOfResourceCommand({ ResourceArn: Table?.TableArn }));
  const own = Tags.flatMap(({ Key = '', Value }) => (Key.startsWith('aws:') ? [] : [`${Key}=${Value}`]));
  return {
    timeToLive: ttl?.TimeToLiveStatus?.startsWith('ENABL') ? ttl.AttributeName : '',
    backups: backups === 'ENABLED',
    tags: own.sort().join(' '),
    protection: Table?.DeletionProtectionEnabled ?? false,
  };
}
