import { RemovalPolicy, Size } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  EndpointType,
  type IResource,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Route } from '../../lib/http/route.ts';
import { type Deployment, isDisposable } from './context.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { logKeeping } from './log-keeping.ts';

/** The functions that the gateway calls: one a group of routes, and one for the pages that a browser shows. */
export type GroupName = 'topics' | 'macros' | 'insights' | 'imports';

/** Paths of the function `console`, each with all below it. */
const PAGES = ['/console', '/docs'];

/** Which function answers for the root: `/health`, `/openapi.json` and paths that nobody declared. */
const ROOT: GroupName = 'topics';

/** Requests a second, of disposable stages and of others. */
const THROTTLE = { disposable: { rate: 50, burst: 100 }, kept: { rate: 1000, burst: 2000 } } as const;

/** The API and the log of its requests. */
export interface Api {
  readonly api: RestApi;
  readonly accessLogs: LogGroup;
}

/** `/api/v2/<collection>`: the paths of a group's routes up to and with their third part. */
export function prefixesOf(routes: readonly Pick<Route, 'path'>[]): string[] {
  return [...new Set(routes.map(({ path }) => path.split('/').slice(0, 4).join('/')))];
}

/**
 * The REST API. ANY on each group's root and below, and on everything else: our own router says 404 and 405, knows HEAD
 * and the method override, where the gateway would say 403. One permission a function: its policy holds 20 KB.
 */
export function createApi(
  scope: Construct,
  deployment: Deployment,
  groups: Readonly<Record<GroupName, readonly Pick<Route, 'path'>[]>>,
  functions: Readonly<Record<GroupName | 'console', IFunction>>,
): Api {
  const { stage, domain, tracing, gatewayRole } = deployment;
  const throttle = isDisposable(deployment) ? THROTTLE.disposable : THROTTLE.kept;
  const accessLogs = new LogGroup(scope, 'AccessLogs', logKeeping(deployment));
  const api = new RestApi(scope, 'Api', {
    restApiName: `support-service-${stage}`, // its metrics bear the name: alarms of stages in one account stay apart
    description: `Support-service API (${stage})`,
    endpointTypes: [EndpointType.REGIONAL],
    disableExecuteApiEndpoint: domain !== undefined,
    minCompressionSize: Size.bytes(1024), // the functions never compress
    cloudWatchRole: gatewayRole === 'on',
    ...(gatewayRole === 'on' ? { cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN } : {}), // one an account and region: other APIs may lean on it
    deployOptions: {
      stageName: stage,
      throttlingRateLimit: throttle.rate,
      throttlingBurstLimit: throttle.burst,
      tracingEnabled: tracing === 'on',
      metricsEnabled: true,
      loggingLevel: MethodLoggingLevel.ERROR,
      dataTraceEnabled: false, // bodies and credentials stay out of the log
      accessLogDestination: new LogGroupLogDestination(accessLogs),
      accessLogFormat: AccessLogFormat.custom(ACCESS_LINE),
    },
  });
  keepExecutionLogs(scope, api, deployment);
  addGatewayResponses(api);
  const answerAll = (place: IResource, group: GroupName | 'console'): void => {
    const integration = new LambdaIntegration(functions[group], { scopePermissionToMethod: false });
    place.addMethod('ANY', integration);
    place.addResource('{proxy+}').addMethod('ANY', integration);
  };
  answerAll(api.root, ROOT);
  for (const group of ['topics', 'macros', 'insights', 'imports'] as const) {
    for (const prefix of prefixesOf(groups[group])) answerAll(api.root.resourceForPath(prefix), group);
  }
  for (const path of PAGES) answerAll(api.root.resourceForPath(path), 'console');
  return { api, accessLogs };
}

/** API Gateway writes its own log to a group of this name: made here, the group has a retention and goes with the stack. */
function keepExecutionLogs(scope: Construct, api: RestApi, deployment: Deployment): void {
  const group = new LogGroup(scope, 'GatewayLogs', {
    logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${deployment.stage}`,
    ...logKeeping(deployment),
  });
  api.deploymentStage.node.addDependency(group);
}

/** What the gateway logs of each request: enough to tell what never reached a function. */
const ACCESS_LINE = JSON.stringify({
  request: '$context.requestId',
  at: '$context.requestTime',
  host: '$context.domainName',
  method: '$context.httpMethod',
  path: '$context.path',
  status: '$context.status',
  bytes: '$context.responseLength',
  ms: '$context.responseLatency',
  error: '$context.error.responseType',
  caller: '$context.identity.sourceIp',
});
