import { RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
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
import { type EachFunction, eachFunction, entryOf, type FunctionEntry, type FunctionName } from './functions.ts';
import { logKeeping } from './keeping.ts';
import { tableStatements } from './permissions.ts';
import type { TableChoice } from './table.ts';

const ROOT = projectPath('');

/** A function, and the alias by which it is called. A rollback points the alias to an earlier version. */
export interface LiveFunction {
  readonly name: FunctionName;
  readonly entry: FunctionEntry;
  readonly code: NodejsFunction;
  readonly alias: Alias;
  readonly live: IFunction; // the alias
  readonly logGroup: LogGroup;
}

/** Creates the functions of a deployment. */
export const createFunctions = (
  scope: Construct,
  deployment: Deployment,
  choice: TableChoice,
): EachFunction<LiveFunction> => eachFunction(deployment, (name) => createFunction(scope, name, deployment, choice));

/** Creates a function with its log group, and a role with only the rights of its entry. */
function createFunction(
  scope: Construct,
  name: FunctionName,
  deployment: Deployment,
  { table, expectsSites }: TableChoice,
): LiveFunction {
  const { stage, tracing } = deployment;
  const entry = entryOf(name);
  const { memory, timeout, about, disk } = entry;
  const id = name.charAt(0).toUpperCase() + name.slice(1);
  const role = new Role(scope, `${id}Role`, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    description: `What the ${name} function of ${stage} may do`,
  });
  for (const statement of tableStatements(entry, table.tableArn, deployment)) role.addToPolicy(statement);
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
    ...(disk && { ephemeralStorageSize: disk }),
    ...(entry.callsItself && { recursiveLoop: RecursiveLoop.ALLOW }),
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    tracing: tracing === 'on' ? Tracing.ACTIVE : Tracing.DISABLED,
    ...reserved(name, deployment),
    currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN }, // kept for rollbacks
    environment: {
      STAGE: stage,
      ...(entry.reads.length > 0 && { TABLE_NAME: table.tableName }),
      ...(expectsSites && { SITES: 'expected' }),
    },
    bundling: {
      format: OutputFormat.ESM,
      ...BUNDLING,
      sourcesContent: false,
      bundleAwsSDK: true,
      banner: REQUIRE,
      esbuildArgs: Object.fromEntries(Object.entries(ALIAS).map(([module, path]) => [`--alias:${module}`, path])),
      commandHooks: {
        beforeBundling: () => [],
        beforeInstall: () => [],
        afterBundling: (from, to) => entry.beside?.({ from, to }) ?? [],
      },
    },
  });
  const alias = code.addAlias('live');
  // With exact optional properties the CDK's classes do not match its interface, so a cast is needed.
  return { name, entry, code, alias, live: alias as IFunction, logGroup };
}
