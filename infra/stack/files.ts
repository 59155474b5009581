import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { KEPT_MS } from '../../lib/uploads/upload-store.ts';
import type { Deployment } from './context.ts';
import { grantFiles } from './file-grants.ts';
import type { LiveFunction } from './function.ts';
import { type EachFunction, FUNCTIONS } from './functions.ts';
import { keeping } from './keeping.ts';
import { createWorkQueue } from './queue.ts';

/** The bucket of the files of imports, and the queue of due steps. */
export interface Files {
  readonly bucket: Bucket;
  readonly steps: Queue;
  readonly deadSteps: Queue;
}

const TRIES = 3; // receives of a step that dies each time before it goes to the dead-letter queue

/**
 * Creates the bucket to which browsers send files by forms that the function `imports` signs, and the queue that
 * triggers `load` for each step. Files are deleted after `KEPT_MS`, whatever their import's state.
 */
export function createFiles(scope: Construct, deployment: Deployment, functions: EachFunction<LiveFunction>): Files {
  const { imports, connections, load, console: pages } = functions;
  const bucket = new Bucket(scope, 'Files', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    versioned: false,
    lifecycleRules: [{ expiration: Duration.millis(KEPT_MS), abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    removalPolicy: keeping(deployment),
  });
  const { steps, deadSteps } = createSteps(scope, deployment);
  load.live.addEventSource(new SqsEventSource(steps, { batchSize: 1, maxConcurrency: deployment.importConcurrency }));
  for (const { code } of [imports, load]) {
    code.addEnvironment('FILE_BUCKET', bucket.bucketName);
  }
  for (const { code } of [imports, connections, load]) {
    code.addEnvironment('STEP_URL', steps.queueUrl);
    steps.grantSendMessages(code); // connections: removals of sources
  }
  load.code.addEnvironment('STEP_SECONDS', String(deployment.importStepSeconds));
  pages.code.addEnvironment('FILE_ORIGIN', `https://${bucket.bucketRegionalDomainName}`);
  grantFiles(bucket, functions);
  return { bucket, steps, deadSteps };
}

function createSteps(scope: Construct, deployment: Deployment): Pick<Files, 'steps' | 'deadSteps'> {
  const { timeout } = FUNCTIONS.load;
  const { queue, dead } = createWorkQueue(scope, deployment, { id: 'Steps', dead: 'DeadSteps', timeout, tries: TRIES });
  return { steps: queue, deadSteps: dead };
}

/** Lets the service's own pages send files from a browser. */
export function allowPages({ bucket }: Files, api: RestApi, { domain }: Deployment): void {
  const host = domain ?? `${api.restApiId}.execute-api.${api.env.region}.amazonaws.com`;
  bucket.addCorsRule({ allowedMethods: [HttpMethods.POST], allowedOrigins: [`https://${host}`], maxAge: 3_000 });
}
