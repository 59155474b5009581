import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Deployment } from './context.ts';

/**
 * The partitions each function may use: patterns of `dynamodb:LeadingKeys`, made by the functions that make the keys.
 * IAM sees only partition keys: it cannot tell sites apart (one deployment serves them all), nor attributes.
 */
export interface Permissions {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Written, but never deleted: who loses such an item loses more than its values. */
  readonly keeps: readonly string[];
}

/** The actions of reads; no Scan, no index, no export. */
export const READ_ACTIONS = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'] as const;

/** The actions of writes; a transaction needs those of its parts. */
export const WRITE_ACTIONS = [
  'dynamodb:PutItem',
  'dynamodb:DeleteItem',
  'dynamodb:UpdateItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
] as const;

/** The actions on what is kept; a BatchWriteItem could delete. */
export const KEEP_ACTIONS = ['dynamodb:PutItem', 'dynamodb:ConditionCheckItem'] as const;

/** A function's rights on the table: actions limited to the leading keys it needs. */
export function tableStatements(
  { reads, writes, keeps }: Permissions,
  tableArn: string,
  { emulator }: Deployment,
): PolicyStatement[] {
  const allow = (sid: string, actions: readonly string[], leadingKeys: readonly string[]): PolicyStatement =>
    new PolicyStatement({
      sid,
      effect: Effect.ALLOW,
      actions: [...actions],
      resources: [tableArn],
      conditions: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...leadingKeys] },
        // `ForAllValues` also holds where a request has no key, and an emulator tells of none.
        ...(emulator !== 'on' && { Null: { 'dynamodb:LeadingKeys': 'false' } }),
      },
    });
  return [
    ...(reads.length > 0 ? [allow('Read', READ_ACTIONS, reads)] : []),
    ...(writes.length > 0 ? [allow('Write', WRITE_ACTIONS, writes)] : []),
    ...(keeps.length > 0 ? [allow('Keep', KEEP_ACTIONS, keeps)] : []),
  ];
}
