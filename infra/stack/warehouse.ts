import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { EventField, Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { CfnDatabase, CfnTable } from 'aws-cdk-lib/aws-glue';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { ATHENA, listFolder } from '../../lib/warehouse/athena.ts';
import { SQL_TYPES } from '../../lib/warehouse/columns.ts';
import { EXPORT_GROUP } from '../../lib/warehouse/due.ts';
import { VIEWS } from '../../lib/warehouse/export.ts';
import { MANIFESTS } from '../../lib/warehouse/manifest.ts';
import { SITE_VIEWS } from '../../lib/warehouse/publish.ts';
import { TABLE_NAMES, TABLES, type WarehouseTable } from '../../lib/warehouse/tables.ts';
import type { Deployment } from './context.ts';
import type { LiveFunction } from './function.ts';
import { type EachFunction, FUNCTIONS } from './functions.ts';
import { keeping } from './keeping.ts';
import { createWorkQueue, GROUPED } from './queue.ts';

/** The objects that exports write; results of queries lie beside them. */
export const WRITTEN_KEYS = [...TABLE_NAMES, MANIFESTS, ATHENA, SITE_VIEWS].map((folder) => `${folder}/*`);

const RESULTS = 'results'; // folder of what queries of Athena answered
const RESULTS_KEPT = Duration.days(7);
const NIGHT = '2'; // UTC
const MORNING = '5'; // when the exports of the night are done
const AT_ONCE = 8; // exports of sites
const TRIES = 3; // of an export that fails each time
const SCAN_LIMIT = 1e12; // bytes of a query, $5
const REPORT_LIMIT = 200e9; // bytes of a query of a report, $1
export const REPORT_RESULTS = `${RESULTS}/engine`; // folder of what queries of reports answered

/** The queue of due exports, and what could not be exported. */
export interface Warehouse {
  readonly deadExports: Queue;
}

/**
 * Creates the bucket to which the function exports every site at night, and a site after each of its imports, with the
 * tables of Athena over it, where the context asks for a warehouse.
 */
export function createWarehouse(
  scope: Construct,
  deployment: Deployment,
  { warehouse, load, insights, deliver, topics }: EachFunction<LiveFunction>,
): Warehouse | undefined {
  if (warehouse === undefined) return undefined;
  const bucket = new Bucket(scope, 'Facts', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    versioned: false, // erased people must leave
    lifecycleRules: [
      { prefix: `${REPORT_RESULTS}/`, expiration: Duration.days(1) },
      { prefix: `${RESULTS}/`, expiration: RESULTS_KEPT },
      { abortIncompleteMultipartUploadAfter: Duration.days(1) },
    ],
    removalPolicy: keeping(deployment),
  });
  const { exports, deadExports } = createExports(scope, deployment);
  warehouse.live.addEventSource(new SqsEventSource(exports, { batchSize: 1, maxConcurrency: AT_ONCE }));
  const reporting = [insights, ...(deliver === undefined ? [] : [deliver])];
  for (const { code } of [warehouse, load, ...reporting]) {
    code.addEnvironment('EXPORT_URL', exports.queueUrl);
    exports.grantSendMessages(code);
  }
  warehouse.code.addEnvironment('WAREHOUSE_BUCKET', bucket.bucketName);
  const objects = [...WRITTEN_KEYS, VIEWS].map((key) => bucket.arnForObjects(key));
  const actions = ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'];
  warehouse.code.addToRolePolicy(new PolicyStatement({ sid: 'KeepFacts', actions, resources: objects }));
  warehouse.code.addToRolePolicy(
    new PolicyStatement({ sid: 'ListFacts', actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }),
  );
  const { database, reports } = createTables(scope, deployment, bucket);
  for (const { code } of [...reporting, topics]) code.addEnvironment('ATHENA_WORKGROUP', reports);
  for (const { code } of reporting) allowQueries(code, bucket, { database, reports });
  return { deadExports };
}

/** A message group for each site: its exports run one after the other, and side by side with those of others. */
function createExports(
  scope: Construct,
  deployment: Deployment,
): { readonly exports: Queue; readonly deadExports: Queue } {
  const { queue: exports, dead: deadExports } = createWorkQueue(scope, deployment, {
    id: 'Exports',
    dead: 'DeadExports',
    timeout: FUNCTIONS.warehouse.timeout,
    tries: TRIES,
    ...GROUPED,
    contentBasedDeduplication: true, // a message says why it was sent
  });
  const nightly = (id: string, description: string, hour: string, message: { readonly list?: true }) =>
    new Rule(scope, id, {
      description,
      schedule: Schedule.cron({ minute: '0', hour }),
      targets: [
        new SqsQueue(exports, {
          messageGroupId: EXPORT_GROUP,
          message: RuleTargetInput.fromObject({ ...message, because: EventField.time }),
        }),
      ],
    });
  nightly('NightlyExport', 'Exports every site to the warehouse', NIGHT, {});
  nightly('NightlyList', 'Lists all sites of the warehouse', MORNING, { list: true });
  return { exports, deadExports };
}

/**
 * The tables of Athena. Their partitions follow from the conditions of a query: a site must be named, a month may be.
 * Each partition is a list of files (lib/warehouse/athena.ts). No report is a view here: its windows are those of one site's zone.
 */
function createTables(scope: Construct, { stage }: Deployment, bucket: Bucket) {
  const name = `support_service_${stage.replaceAll('-', '_')}`;
  const catalogId = Stack.of(scope).account;
  const database = new CfnDatabase(scope, 'FactsDatabase', {
    catalogId,
    databaseInput: { name, description: `Facts of the support service (${stage})` },
  });
  for (const table of TABLE_NAMES) {
    const made = new CfnTable(scope, `${table.charAt(0).toUpperCase()}${table.slice(1)}Table`, {
      catalogId,
      databaseName: name,
      tableInput: tableInput(table, bucket),
    });
    made.addResourceDependency(database);
  }
  const group = createWorkgroup(scope, bucket, {
    ...{ id: 'FactsQueries', name: `support-service-${stage}`, description: `Queries of the warehouse (${stage})` },
    ...{ limit: SCAN_LIMIT, results: RESULTS },
  });
  const reports = `support-service-${stage}-reports`;
  createWorkgroup(scope, bucket, {
    ...{ id: 'ReportQueries', name: reports, description: `Queries of the warehouse by reports (${stage})` },
    ...{ limit: REPORT_LIMIT, results: REPORT_RESULTS },
  });
  new CfnOutput(scope, 'WarehouseBucket', {
    value: bucket.bucketName,
    description: 'Where Parquet files of facts are',
  });
  new CfnOutput(scope, 'WarehouseDatabase', { value: name, description: 'The database of Athena' });
  new CfnOutput(scope, 'WarehouseWorkgroup', { value: group.name, description: 'The workgroup of Athena' });
  return { database: name, reports };
}

/** A workgroup of Athena: how much one of its queries may read, and where what it answered lies. */
function createWorkgroup(
  scope: Construct,
  bucket: Bucket,
  of: { readonly [name in 'id' | 'name' | 'description' | 'results']: string } & { readonly limit: number },
): CfnWorkGroup {
  return new CfnWorkGroup(scope, of.id, {
    ...{ name: of.name, description: of.description, recursiveDeleteOption: true },
    workGroupConfiguration: {
      enforceWorkGroupConfiguration: true,
      bytesScannedCutoffPerQuery: of.limit,
      publishCloudWatchMetricsEnabled: false,
      engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
      resultConfiguration: {
        outputLocation: bucket.s3UrlForObject(of.results),
        encryptionConfiguration: { encryptionOption: 'SSE_S3' },
      },
    },
  });
}

/** Lets a function that computes reports ask its workgroup over the files, and read what was answered. */
function allowQueries(
  code: LiveFunction['code'],
  bucket: Bucket,
  { database, reports }: { readonly database: string; readonly reports: string },
): void {
  code.addEnvironment('WAREHOUSE_BUCKET', bucket.bucketName);
  code.addEnvironment('ATHENA_DATABASE', database);
  const allow = (sid: string, service: string, actions: readonly string[], resources: readonly string[]): void =>
    code.addToRolePolicy(
      new PolicyStatement({ sid, actions: actions.map((name) => `${service}:${name}`), resources: [...resources] }),
    );
  const arns = (service: string, ...resources: readonly string[]): string[] =>
    resources.map((resource) => Stack.of(code).formatArn({ service, resource }));
  const files = [...TABLE_NAMES, MANIFESTS, ATHENA].map((folder) => bucket.arnForObjects(`${folder}/*`));
  const queries = ['StartQueryExecution', 'GetQueryExecution', 'StopQueryExecution'];
  const tables = ['catalog', `database/${database}`, ...TABLE_NAMES.map((table) => `table/${database}/${table}`)];
  allow('Query', 'athena', queries, arns('athena', `workgroup/${reports}`));
  allow('SeeTables', 'glue', ['GetTable', 'GetPartitions', 'GetDatabase'], arns('glue', ...tables));
  allow('ReadFacts', 's3', ['GetObject'], files);
  allow('SeeFacts', 's3', ['ListBucket', 'GetBucketLocation'], [bucket.bucketArn]);
  allow('Results', 's3', ['GetObject', 'PutObject'], [bucket.arnForObjects(`${REPORT_RESULTS}/*`)]);
}

/** What Athena replaces by the value of a partition. */
const placeholder = (name: string): string => `\${${name}}`;

function tableInput(table: WarehouseTable, bucket: Bucket): CfnTable.TableInputProperty {
  const { columns, byMonth, meaning } = TABLES[table];
  const month = {
    'projection.month.type': 'date',
    'projection.month.format': 'yyyy-MM',
    'projection.month.range': '1970-01,2199-12',
    'projection.month.interval': '1',
    'projection.month.interval.unit': 'MONTHS',
  };
  return {
    name: table,
    description: meaning,
    tableType: 'EXTERNAL_TABLE',
    partitionKeys: [{ name: 'site', type: 'string' }, ...(byMonth ? [{ name: 'month', type: 'string' }] : [])],
    parameters: {
      EXTERNAL: 'TRUE',
      'projection.enabled': 'true',
      'projection.site.type': 'injected',
      ...(byMonth ? month : {}),
      'storage.location.template': `${bucket.s3UrlForObject(listFolder(table, placeholder('site'), placeholder('month')))}/`,
    },
    storageDescriptor: {
      columns: columns
        .filter(({ name }) => name !== 'site') // the name of a partition
        .map(({ name, type, meaning: comment }) => ({ name, type: SQL_TYPES[type].athena, comment })),
      location: `${bucket.s3UrlForObject(`${ATHENA}/${table}`)}/`,
      inputFormat: 'org.apache.hadoop.hive.ql.io.SymlinkTextInputFormat',
      outputFormat: 'org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat',
      serdeInfo: { serializationLibrary: 'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe' },
    },
  };
}
