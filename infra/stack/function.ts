import { RemovalPolicy } from 'aws-cdk-lib';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  type Alias,
  Architecture,
  type IFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { ALIAS, BUNDLING, REQUIRE } from '../bundle.ts';
import { projectPath } from '../project.ts';
import { reserved } from './concurrency.ts';
import type { Deployment } from './context.ts';
import { FUNCTIONS } from './functions.ts';
import { logKeeping } from './keeping.ts';
import { type FunctionName, KEEP_ACTIONS, PERMISSIONS, READ_ACTIONS, WRITE_ACTIONS } from './permissions.ts';
import type { TableChoice } from './table.ts';

const ROOT = projectPath('');

/** A function, and the alias by which it is called. A rollback points the alias to an earlier version. */
export interface LiveFunction {
  readonly code: NodejsFunction;
  readonly alias: Alias;
  readonly live: IFunction; // the alias
  readonly logGroup: LogGroup;
}

/** Creates a function with its log group, and a role with only the rights in `permissions.ts`. */
export function createFunction(
  scope: Construct,
  name: FunctionName,
  deployment: Deployment,
  { table, expectsSites }: TableChoice,
): LiveFunction {
  const { stage, tracing } = deployment;
  const { memory, timeout, about, disk } = FUNCTIONS[name];
  const id = name.charAt(0).toUpperCase() + name.slice(1);
  const role = new Role(scope, `${id}Role`, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    description: `What the ${name} function of ${stage} may do`,
  });
  for (const statement of tableStatements(name, table.tableArn, deployment)) role.addToPolicy(statement);
  const logGroup = new LogGroup(scope, `${id}Logs`, logKeeping(deployment));
  logGroup.grantWrite(role);
  const code = new NodejsFunction(scope, id, {
    description: about,
    entry: `${ROOT}functions/${name}.ts`,
    projectRoot: ROOT,
    depsLockFilePath: `${ROOT}package-lock.json`,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: memory,
    timeout,
    ...(disk ? { ephemeralStorageSize: disk } : {}),
    // Each step triggers the next; Lambda would stop the 16th.
    ...(name === 'load' ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    tracing: tracing === 'on' ? Tracing.ACTIVE : Tracing.DISABLED,
    ...reserved(name, deployment),
    currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN }, // kept for rollbacks
    environment: {
      STAGE: stage,
      ...(hasTable(name) ? { TABLE_NAME: table.tableName } : {}),
      ...(expectsSites ? { SITES: 'expected' } : {}),
    },
    bundling: {
      format: OutputFormat.ESM,
      ...BUNDLING,
      sourcesContent: false,
      bundleAwsSDK: true,
      banner: REQUIRE,
      esbuildArgs: Object.fromEntries(Object.entries(ALIAS).map(([name, path]) => [`--alias:${name}`, path])),
      commandHooks: {
        beforeBundling: () => [],
        beforeInstall: () => [],
        afterBundling: (input, output) => BESIDE_CODE[name]?.(input, output) ?? [],
      },
    },
  });
  const alias = code.addAlias('live');
  // With exact optional properties the CDK's classes do not match its interface, so a cast is needed.
  return { code, alias, live: alias as IFunction, logGroup };
}

const hasTable = (name: FunctionName): boolean => PERMISSIONS[name].reads.length > 0;

/** Files beside a function's code: shell commands that copy them from the project's folder to the bundle's. */
const BESIDE_CODE: Partial<Record<FunctionName, (input: string, output: string) => string[]>> = {
  topics: (input, output) => [`cp ${input}/openapi.json ${output}/`],
  load: (input, output) => [`cp -r ${input}/lib/import/packs ${output}/packs && rm -f ${output}/packs/*.ts`],
  console: (input, output) => [`cd ${input} && node --import tsx infra/console/write.ts ${output}/console.json`],
};

/** A function's rights on the table: actions limited to the leading keys it needs. */
function tableStatements(name: FunctionName, tableArn: string, { emulator }: Deployment): PolicyStatement[] {
  const { reads, writes, keeps } = PERMISSIONS[name];
  const allow = (sid: string, actions: readonly string[], leadingKeys: readonly string[]): PolicyStatement =>
    new PolicyStatement({
      sid,
      effect: Effect.ALLOW,
      actions: [...actions],
      resources: [tableArn],
      conditions: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...leadingKeys] },
        // `ForAllValues` also holds where a request has no key, and an emulator tells of none.
        ...(emulator === 'on' ? {} : { Null: { 'dynamodb:LeadingKeys': 'false' } }),
      },
    });
  return [
    ...(reads.length > 0 ? [allow('Read', READ_ACTIONS, reads)] : []),
    ...(writes.length > 0 ? [allow('Write', WRITE_ACTIONS, writes)] : []),
    ...(keeps.length > 0 ? [allow('Keep', KEEP_ACTIONS, keeps)] : []),
  ];
}
