import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Site } from '../../lib/access/site-fields.ts';
import { mapInChunks } from '../../lib/store/batches.ts';
import { withoutPasswords } from '../../lib/text.ts';
import { manifestPath, parseManifest } from '../../lib/warehouse/manifest.ts';
import { counted } from './import/outcome.ts';

/** A queue of what failed, and how much waits in it. */
interface DeadQueue {
  readonly output: string; // of the stack: `DeadLetterUrl`
  readonly count: number;
}

/** The looks at a deployment, and the rights that each needs. */
const RIGHTS = {
  backups: 'dynamodb:DescribeContinuousBackups',
  TTL: 'dynamodb:DescribeTimeToLive',
  'the stage': 'dynamodb:ListTagsOfResource',
  'the stack': 'cloudformation:DescribeStacks',
  alarms: 'sns:ListSubscriptionsByTopic',
  'dead letters': 'sqs:GetQueueAttributes',
  warehouse: 's3:GetObject and s3:ListBucket',
} as const;
type HealthCheck = keyof typeof RIGHTS;

/** What a deployment keeps around its table; of what could not be looked at, nothing bad is told. */
export interface StageHealth {
  readonly unseen: readonly { readonly what: HealthCheck; readonly why: string }[];
  readonly hasBackups: boolean; // point-in-time recovery
  readonly hasTimeToLive: boolean;
  readonly isProtected: boolean; // from being deleted
  readonly stage?: string; // absent: the table has no tag of one, so that nothing else is known
  readonly pending: readonly string[]; // subscriptions of alarms that nobody has confirmed, and those that lack anybody
  readonly subscribers?: number;
  readonly dead: readonly DeadQueue[];
  readonly exports?: readonly { readonly site: string; readonly at: number | undefined }[]; // epoch ms of each site's last one, or of its making
}

/** Reads what a deployment keeps around its table. Throws where not even the table may be looked at. */
export async function readDeployment(
  client: DynamoDBClient,
  {
    name,
    sites,
    endpoint,
  }: { readonly name: string; readonly sites: readonly Pick<Site, 'name' | 'added'>[]; readonly endpoint?: string },
): Promise<StageHealth> {
  const sdk = await import('@aws-sdk/client-dynamodb');
  const { Table } = await client.send(new sdk.DescribeTableCommand({ TableName: name }));
  const unseen: { readonly what: HealthCheck; readonly why: string }[] = [];
  async function look<T>(what: HealthCheck, read: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await read();
    } catch (error) {
      unseen.push({ what, why: withoutPasswords(error instanceof Error ? error.message : String(error)) });
      return otherwise;
    }
  }

  const readBackups = async (): Promise<boolean> => {
    const answer = await client.send(new sdk.DescribeContinuousBackupsCommand({ TableName: name }));
    const recovery = answer.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
    return recovery?.PointInTimeRecoveryStatus === 'ENABLED';
  };
  const readTimeToLive = async (): Promise<boolean> => {
    const { TimeToLiveDescription: life } = await client.send(new sdk.DescribeTimeToLiveCommand({ TableName: name }));
    return life?.TimeToLiveStatus?.startsWith('ENABL') ?? false;
  };
  const readStage = async (): Promise<string | undefined> => {
    const { Tags = [] } = await client.send(new sdk.ListTagsOfResourceCommand({ ResourceArn: Table?.TableArn }));
    return Tags.find(({ Key }) => Key === 'stage')?.Value;
  };
  const ofTable = {
    hasBackups: await look('backups', readBackups, true),
    hasTimeToLive: await look('TTL', readTimeToLive, true),
    isProtected: Table?.DeletionProtectionEnabled ?? false,
  };
  const stage = await look('the stage', readStage, undefined);
  if (stage === undefined) return { ...ofTable, unseen, pending: [], dead: [] };
  const options = endpoint === undefined ? {} : { endpoint };
  const outputs = await look('the stack', () => outputsOf(stage, options), {});
  const alarms = await look('alarms', () => alarmsOf(outputs.AlarmTopic, options), { pending: [] });
  const dead = await look('dead letters', () => deadOf(outputs, options), []);
  const readExports = () => exportsOf(outputs.WarehouseBucket, sites, endpoint !== undefined);
  const exports = await look('warehouse', readExports, undefined);
  return { ...ofTable, unseen, stage, ...alarms, dead, ...(exports && { exports }) };
}

type Options = { readonly endpoint?: string };

async function outputsOf(stage: string, options: Options): Promise<Readonly<Record<string, string>>> {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const client = new CloudFormationClient(options);
  const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: `SupportService-${stage}` }));
  const all = Stacks?.[0]?.Outputs ?? [];
  return Object.fromEntries(all.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
}

const PENDING = 'PendingConfirmation';

async function alarmsOf(
  TopicArn: string | undefined,
  options: Options,
): Promise<Pick<StageHealth, 'pending' | 'subscribers'>> {
  if (TopicArn === undefined) return { pending: [] };
  const { ListSubscriptionsByTopicCommand, SNSClient } = await import('@aws-sdk/client-sns');
  const { Subscriptions = [] } = await new SNSClient(options).send(new ListSubscriptionsByTopicCommand({ TopicArn }));
  const pending = Subscriptions.filter(({ SubscriptionArn }) => SubscriptionArn === PENDING);
  return {
    pending: pending.map(({ Endpoint = '' }) => Endpoint),
    subscribers: Subscriptions.length - pending.length,
  };
}

async function deadOf(outputs: Readonly<Record<string, string>>, options: Options): Promise<readonly DeadQueue[]> {
  const { GetQueueAttributesCommand, SQSClient } = await import('@aws-sdk/client-sqs');
  const client = new SQSClient(options);
  const queues = Object.entries(outputs).filter(([name]) => /^Dead\w+Url$/.test(name));
  return Promise.all(
    queues.map(async ([output, QueueUrl]) => {
      const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] });
      const { Attributes } = await client.send(asked);
      return { output, count: Number(Attributes?.ApproximateNumberOfMessages ?? 0) };
    }),
  );
}

const AT_ONCE = 16; // reads of a bucket

async function exportsOf(
  bucket: string | undefined,
  sites: readonly Pick<Site, 'name' | 'added'>[],
  isEmulated: boolean,
): Promise<StageHealth['exports']> {
  if (bucket === undefined) return undefined;
  const { openObjects } = await import('../../lib/store/objects.ts');
  const objects = openObjects({ bucket, isEmulated });
  return mapInChunks(sites, AT_ONCE, async ({ name, added }) => {
    const manifest = parseManifest((await objects.read(manifestPath(name)))?.text);
    return { site: name, at: manifest?.exportedAt ?? added };
  });
}

/** What is wrong with a deployment: a thing, what is said of it, and what to do. */
export interface Trouble {
  readonly what: string;
  readonly says: string;
  readonly todo: string;
}

const EXPORTED_WITHIN = 30 * 3_600_000; // ms; exports run each night

/** Everything that is wrong with a deployment at an instant (epoch ms). */
export function troublesOf(deployment: StageHealth, table: string, now: number): readonly Trouble[] {
  const {
    unseen,
    hasBackups,
    hasTimeToLive,
    isProtected,
    stage,
    pending,
    subscribers,
    dead,
    exports = [],
  } = deployment;
  const behind = exports.filter(({ at }) => at === undefined || at < now - EXPORTED_WITHIN).map(({ site }) => site);
  const isKept = stage !== undefined && !/^dev(-|$)/.test(stage);
  const set = 'aws dynamodb update-';
  const troubles: readonly (Trouble & { readonly is: boolean })[] = [
    ...unseen.map(({ what, why }) => ({
      is: true,
      what,
      says: `cannot be looked at: ${why}`,
      todo: `It needs the right ${RIGHTS[what]}: docs/operations.md#who-may-do-what`,
    })),
    {
      is: !hasBackups,
      what: 'backups',
      says: 'point-in-time recovery is off: a loss cannot be taken back',
      todo: `${set}continuous-backups --table-name ${table} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
    },
    {
      is: !hasTimeToLive,
      what: 'TTL',
      says: 'nothing is deleted when its time is over, such as entries of the audit',
      todo: `${set}time-to-live --table-name ${table} --time-to-live-specification Enabled=true,AttributeName=ttl`,
    },
    {
      is: isKept && !isProtected,
      what: 'protection',
      says: 'the table can be deleted by one command',
      todo: `${set}table --table-name ${table} --deletion-protection-enabled`,
    },
    {
      is: pending.length > 0,
      what: 'alarms',
      says: `${pending.join(', ')} has not confirmed the subscription, and gets none`,
      todo: 'Open the link of the mail from AWS Notifications.',
    },
    {
      is: isKept && subscribers === 0 && pending.length === 0,
      what: 'alarms',
      says: 'they notify nobody',
      todo: `npx cdk deploy -c stage=${stage} -c alarmEmail=<address>`,
    },
    ...dead.map(({ output, count }) => ({
      is: count > 0,
      what: 'dead letters',
      says: `${count} in the queue ${output.replace(/Url$/, '')}`,
      todo: `docs/operations.md#${output === 'DeadLetterUrl' ? 'deadletters' : output.replace(/Url$/, '').toLowerCase()}`,
    })),
    {
      is: behind.length > 0,
      what: 'warehouse',
      says: `not exported for 30 hours: ${counted(behind.length, 'site')} of ${exports.length}: ${behind.slice(0, 5).join(', ')}`,
      todo: 'docs/operations.md#missing',
    },
  ];
  return troubles.filter(({ is }) => is).map(({ is: _, ...trouble }) => trouble);
}
