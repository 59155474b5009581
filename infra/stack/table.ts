import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { type Deployment, isDisposable } from './context.ts';

/** The part of the table that the rest of the stack needs, whether created here or given. */
export type ServiceTable = Pick<
  ITable,
  'tableArn' | 'tableName' | 'metric' | 'metricConsumedReadCapacityUnits' | 'metricConsumedWriteCapacityUnits'
>;

/**
 * The one table (ARCHITECTURE.md, key chart). The stack destroys it only in a disposable stage. A table from the
 * context is not part of the stack.
 */
export function defineTable(scope: Construct, deployment: Deployment): ServiceTable {
  const { table } = deployment;
  const disposable = isDisposable(deployment);
  if (table !== undefined) return Table.fromTableName(scope, 'Table', table);
  return new Table(scope, 'Table', {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.AWS_MANAGED,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    timeToLiveAttribute: 'ttl', // epoch s; only cleans up, nothing relies on it
    deletionProtection: !disposable,
    removalPolicy: disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
  });
}
