import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { keysOf } from '../../lib/typed-object.ts';
import { fileKey, rejectedKey } from '../../lib/uploads/bucket.ts';
import type { LiveFunction } from './function.ts';

const ANYTHING = { site: '*', id: 0 } as const;
const anyOf = (key: string): string => key.replace(/0$/, '*');
const files = anyOf(fileKey(ANYTHING));
const rejected = anyOf(rejectedKey(ANYTHING));

/**
 * The actions on objects of each function, limited by keys. The patterns are made by the functions that make the keys.
 */
export const FILE_ACTIONS = {
  // The signer of a form needs the rights of the form. It also checks whether a file has arrived, and deletes files of
  // refused requests.
  imports: [
    { sid: 'Sign', actions: ['s3:PutObject'], keys: [files] },
    { sid: 'Look', actions: ['s3:GetObject'], keys: [files, rejected] },
    { sid: 'Forget', actions: ['s3:DeleteObject'], keys: [files, rejected] },
  ],
  // It reads files, stores rejected lines, and deletes both when an import is undone.
  load: [
    { sid: 'Fetch', actions: ['s3:GetObject'], keys: [files] },
    { sid: 'KeepRejected', actions: ['s3:PutObject'], keys: [rejected] },
    { sid: 'Forget', actions: ['s3:DeleteObject'], keys: [files, rejected] },
  ],
} as const;

/**
 * Grants the functions these actions. Both may also list: otherwise S3 does not tell them that an object is missing.
 */
export function grantFiles(bucket: Bucket, functions: Readonly<Record<keyof typeof FILE_ACTIONS, LiveFunction>>): void {
  for (const name of keysOf(FILE_ACTIONS)) {
    for (const { sid, actions, keys } of FILE_ACTIONS[name]) {
      functions[name].code.addToRolePolicy(
        new PolicyStatement({
          sid,
          effect: Effect.ALLOW,
          actions: [...actions],
          resources: keys.map((key) => bucket.arnForObjects(key)),
        }),
      );
    }
    functions[name].code.addToRolePolicy(
      new PolicyStatement({ sid: 'SeeAbsence', actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }),
    );
  }
}
