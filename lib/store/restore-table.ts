import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ListTagsOfResourceCommand,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';

/** A table to restore from its continuous backup. */
export interface Restoring {
  readonly source: string; // name of the table as it is
  readonly target: string; // name of the table to make
  readonly at: Date | undefined; // undefined: the latest moment that can be restored
  readonly pause: () => Promise<void>; // between two looks at a table that is being made
}

/**
 * Restores a table as of a moment into a new one, and gives it what a restored table lacks: TTL, continuous backups,
 * tags and deletion protection, as the source has them. A restore that was interrupted goes on when called again.
 * Throws if the target is a table of another origin.
 */
export async function restoreTable(client: DynamoDBClient, restoring: Restoring): Promise<void> {
  const { source, target, at, pause } = restoring;
  const origin = await describe(client, source);
  if (origin === undefined) throw new Error(`there is no table ${source}`);
  const before = await describe(client, target);
  if (before === undefined) {
    await client.send(
      new RestoreTableToPointInTimeCommand({
        SourceTableName: source,
        TargetTableName: target,
        ...(at === undefined ? { UseLatestRestorableTime: true } : { RestoreDateTime: at }),
      }),
    );
  } else if (before.RestoreSummary?.SourceTableArn !== origin.TableArn) {
    throw new Error(`the table ${target} exists and was not restored from ${source}: choose another name`);
  }
  const restored = await whenActive(client, target, pause);
  await copyTimeToLive(client, source, target);
  await client.send(
    new UpdateContinuousBackupsCommand({
      TableName: target,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  );
  await copyTags(client, origin, restored);
  const isProtected = origin.DeletionProtectionEnabled ?? false;
  if (isProtected !== (restored.DeletionProtectionEnabled ?? false)) {
    await client.send(new UpdateTableCommand({ TableName: target, DeletionProtectionEnabled: isProtected }));
  }
}

async function describe(client: DynamoDBClient, name: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

/** Waits until a table can be used: some minutes to hours after its restore began. */
async function whenActive(client: DynamoDBClient, name: string, pause: Restoring['pause']): Promise<TableDescription> {
  for (;;) {
    const table = await describe(client, name);
    if (table?.TableStatus === 'ACTIVE') return table;
    await pause();
  }
}

async function copyTimeToLive(client: DynamoDBClient, source: string, target: string): Promise<void> {
  const attributeOf = async (name: string): Promise<string | undefined> => {
    const { TimeToLiveDescription: timeToLive } = await client.send(new DescribeTimeToLiveCommand({ TableName: name }));
    return timeToLive?.TimeToLiveStatus?.startsWith('ENABL') ? timeToLive.AttributeName : undefined;
  };
  const attribute = await attributeOf(source);
  if (attribute === undefined || (await attributeOf(target)) === attribute) return;
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: target,
      TimeToLiveSpecification: { AttributeName: attribute, Enabled: true },
    }),
  );
}

async function copyTags(client: DynamoDBClient, from: TableDescription, to: TableDescription): Promise<void> {
  const { Tags = [] } = await client.send(new ListTagsOfResourceCommand({ ResourceArn: from.TableArn }));
  const own = Tags.filter(({ Key }) => !Key?.startsWith('aws:')); // AWS's own cannot be set
  if (own.length > 0) await client.send(new TagResourceCommand({ ResourceArn: to.TableArn, Tags: own }));
}
