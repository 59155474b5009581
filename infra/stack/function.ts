import { RemovalPolicy } from 'aws-cdk-lib';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, LoggingFormat, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { ALIAS, BUNDLING, REQUIRE } from '../bundle.ts';
import { projectPath } from '../project.ts';
import type { Deployment } from './context.ts';
import { FUNCTIONS } from './functions.ts';
import { type FunctionName, PERMISSIONS, READ_ACTIONS, WRITE_ACTIONS } from './permissions.ts';
import type { ServiceTable } from './table.ts';

const ROOT = projectPath('');

/** One function with its log group and a role that holds nothing but what `permissions.ts` says. */
export function createFunction(
  scope: Construct,
  name: FunctionName,
  { stage, tracing }: Deployment,
  table: ServiceTable,
): NodejsFunction {
  const { memory, timeout, about } = FUNCTIONS[name];
  const id = name.charAt(0).toUpperCase() + name.slice(1);
  const role = new Role(scope, `${id}Role`, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    description: `What the ${name} function of ${stage} may do`,
  });
  for (const statement of tableStatements(name, table.tableArn)) role.addToPolicy(statement);
  const logGroup = new LogGroup(scope, `${id}Logs`, {
    retention: stage === 'dev' ? RetentionDays.ONE_WEEK : RetentionDays.THREE_MONTHS,
    removalPolicy: stage === 'dev' ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
  });
  logGroup.grantWrite(role);
  return new NodejsFunction(scope, id, {
    description: about,
    entry: `${ROOT}functions/${name}.ts`,
    projectRoot: ROOT,
    depsLockFilePath: `${ROOT}package-lock.json`,
    runtime: Runtime.NODEJS_22_X,
    architecture: Architecture.ARM_64,
    memorySize: memory,
    timeout,
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    tracing: tracing === 'on' ? Tracing.ACTIVE : Tracing.DISABLED,
    environment: { TABLE_NAME: table.tableName, STAGE: stage, NODE_OPTIONS: '--enable-source-maps' },
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
        afterBundling: (input, output) => (name === 'topics' ? [`cp ${input}/openapi.json ${output}/`] : []),
      },
    },
  });
}

/** What a function may do with the table: actions bound to the leading keys it works on. */
function tableStatements(name: FunctionName, tableArn: string): PolicyStatement[] {
  const { reads, writes } = PERMISSIONS[name];
  const allow = (sid: string, actions: readonly string[], leadingKeys: readonly string[]): PolicyStatement =>
    new PolicyStatement({
      sid,
      effect: Effect.ALLOW,
      actions: [...actions],
      resources: [tableArn],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...leadingKeys] } },
    });
  return [allow('Read', READ_ACTIONS, reads), allow('Write', WRITE_ACTIONS, writes)];
}
