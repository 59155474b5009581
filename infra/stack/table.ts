import { CfnParameter, CfnRule, Fn, RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { type Deployment, isDisposable } from './context.ts';

/** The part of the table that the rest of the stack needs, whether created here or given. */
export type ServiceTable = Pick<
  ITable,
  'tableArn' | 'tableName' | 'metric' | 'metricConsumedReadCapacityUnits' | 'metricConsumedWriteCapacityUnits'
>;

const OWN = 'own'; // stands for the stack's own table

/** The table of the service, and whether it must hold sites, as a restored one does. */
export interface TableChoice {
  readonly table: ServiceTable;
  readonly expectsSites: boolean;
}

/**
 * The one table (ARCHITECTURE.md, key chart): the stack's own, or one that the context names, such as one restored from
 * a backup. The stack destroys its own only in a disposable stage, and never another.
 */
export function defineTable(scope: Construct, deployment: Deployment): TableChoice {
  const own = createTable(scope, deployment);
  const { table = OWN } = deployment;
  refuseOtherTable(scope, table);
  if (table === OWN) return { table: own, expectsSites: false };
  return { table: Table.fromTableName(scope, 'Restored', table), expectsSites: true };
}

/**
 * Has CloudFormation refuse a deploy that changes the table unasked. A parameter remembers the table in use: its value
 * stays from deploy to deploy unless one sets it. The table is no parameter itself: another value would publish no new
 * versions of the functions.
 */
function refuseOtherTable(scope: Construct, table: string): void {
  const inUse = new CfnParameter(scope, 'TableInUse', {
    default: OWN,
    description: `The table that the service uses; ${OWN}: that of this stack (docs/backup.md)`,
  });
  new CfnRule(scope, 'SameTable', {
    assertions: [
      {
        assert: Fn.conditionEquals(inUse.valueAsString, table),
        assertDescription: `This deploy would use the table ${table}, and the stack uses another: to stay with that add -c table=<its name>, to change to this one add --parameters TableInUse=${table} (docs/backup.md).`,
      },
    ],
  });
}

function createTable(scope: Construct, deployment: Deployment): Table {
  const disposable = isDisposable(deployment);
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
