import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Deployment } from './context.ts';

/** What the rest of the stack needs of the table, whoever made it. */
export type ServiceTable = Pick<
  ITable,
  'tableArn' | 'tableName' | 'metric' | 'metricConsumedReadCapacityUnits' | 'metricConsumedWriteCapacityUnits'
>;

/** The one table (ARCHITECTURE.md, key chart). Only a `dev` table may be destroyed; one named by the context is not ours. */
export function createTable(scope: Construct, { stage, table }: Deployment): ServiceTable {
  if (table !== undefined) return Table.fromTableName(scope, 'Table', table);
  return new Table(scope, 'Table', {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.AWS_MANAGED,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    timeToLiveAttribute: 'ttl', // epoch s; tidies up, nothing relies on it
    deletionProtection: stage !== 'dev',
    removalPolicy: stage === 'dev' ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
  });
}
