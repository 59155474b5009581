import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { DeleteObjectsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';

/** How a client of the SDK finds a deployment; in an account of AWS it knows by itself. */
export type AwsOptions = ReturnType<typeof awsOptions>;

/** The options for the environment of an emulator, whose certificate `ca` (PEM) signed; for AWS none. */
export function awsOptions(env: Readonly<Record<string, string>>, ca: string | undefined) {
  const { AWS_ENDPOINT_URL: endpoint, AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_REGION = '' } = env;
  if (endpoint === undefined) return {};
  const credentials = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY };
  return { endpoint, credentials, region: AWS_REGION, requestHandler: { httpsAgent: { ca } } };
}

/** A stack by its name; undefined if there is none. */
export async function findStack(aws: AwsOptions, name: string): Promise<Stack | undefined> {
  try {
    const { Stacks = [] } = await new CloudFormationClient(aws).send(new DescribeStacksCommand({ StackName: name }));
    return Stacks.find(({ StackStatus }) => StackStatus !== 'DELETE_COMPLETE');
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}

/** Deletes every object of a bucket, whose stack could not be deleted otherwise. */
export async function emptyBucket(aws: AwsOptions, bucket: string): Promise<void> {
  const s3 = new S3Client({ ...aws, forcePathStyle: 'endpoint' in aws });
  for (;;) {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
    if (Contents.length === 0) return;
    const Objects = Contents.map(({ Key }) => ({ Key }));
    await s3.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }));
  }
}
