import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { fileKey, rejectedKey } from '../../lib/uploads/bucket.ts';

const ANYTHING = { site: '*', id: 0 } as const;
const anyOf = (key: string): string => key.replace(/0$/, '*');
const files = anyOf(fileKey(ANYTHING));
const rejected = anyOf(rejectedKey(ANYTHING));

/** What each function may do with objects: by their keys, made by the very functions that make them. */
export const FILE_ACTIONS = {
  // What a form allows, its signer must be allowed; it looks whether a file has come, and forgets those of refused requests.
  imports: [
    { sid: 'Sign', actions: ['s3:PutObject'], keys: [files] },
    { sid: 'Look', actions: ['s3:GetObject'], keys: [files, rejected] },
    { sid: 'Forget', actions: ['s3:DeleteObject'], keys: [files, rejected] },
  ],
  // It reads files, keeps their rejected lines, and forgets both when an import is undone.
  load: [
    { sid: 'Fetch', actions: ['s3:GetObject'], keys: [files] },
    { sid: 'KeepRejected', actions: ['s3:PutObject'], keys: [rejected] },
    { sid: 'Forget', actions: ['s3:DeleteObject'], keys: [files, rejected] },
  ],
} as const;

/** Gives the functions those actions, and to see that an object is not there, which S3 tells those alone who may list. */
export function grantFiles(bucket: Bucket, functions: Readonly<Record<keyof typeof FILE_ACTIONS, IFunction>>): void {
  for (const name of ['imports', 'load'] as const) {
    for (const { sid, actions, keys } of FILE_ACTIONS[name]) {
      functions[name].addToRolePolicy(
        new PolicyStatement({
          sid,
          effect: Effect.ALLOW,
          actions: [...actions],
          resources: keys.map((key) => bucket.arnForObjects(key)),
        }),
      );
    }
    functions[name].addToRolePolicy(
      new PolicyStatement({ sid: 'SeeAbsence', actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }),
    );
  }
}
