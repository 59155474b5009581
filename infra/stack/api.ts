import { RemovalPolicy, Size } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type Deployment, isDisposable } from './context.ts';
import type { LiveFunction } from './function.ts';
import type { EachFunction } from './functions.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { logKeeping } from './keeping.ts';

/** Requests a second, in disposable stages and in others. */
const THROTTLE = { disposable: { rate: 50, burst: 100 }, kept: { rate: 1000, burst: 2000 } } as const;

/** The API and the log of its requests. */
export interface Api {
  readonly api: RestApi;
  readonly accessLogs: LogGroup;
}

/**
 * The REST API: ANY on each path of a function and below it, where `/` takes all other paths. Our own router answers 404 and 405, HEAD
 * and the method override, where the gateway would answer 403. Each function gets one permission, as its policy holds
 * only 20 KB.
 */
export function createApi(scope: Construct, deployment: Deployment, functions: EachFunction<LiveFunction>): Api {
  const { stage, domain, tracing, gatewayRole, detailedMetrics } = deployment;
  const throttle = isDisposable(deployment) ? THROTTLE.disposable : THROTTLE.kept;
  const accessLogs = new LogGroup(scope, 'AccessLogs', logKeeping(deployment));
  const api = new RestApi(scope, 'Api', {
    restApiName: `support-service-${stage}`, // metrics carry this name, so stages in one account have separate alarms
    description: `Support-service API (${stage})`,
    endpointTypes: [EndpointType.REGIONAL],
    disableExecuteApiEndpoint: domain !== undefined,
    minCompressionSize: Size.bytes(1024), // the functions never compress
    cloudWatchRole: gatewayRole === 'on',
    // The role is shared by all APIs of the account and region.
    ...(gatewayRole === 'on' && { cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN }),
    deployOptions: {
      stageName: stage,
      throttlingRateLimit: throttle.rate,
      throttlingBurstLimit: throttle.burst,
      tracingEnabled: tracing === 'on',
      metricsEnabled: detailedMetrics === 'on', // paid for each method; those of the whole API are there without them
      loggingLevel: MethodLoggingLevel.ERROR,
      dataTraceEnabled: false, // bodies and credentials stay out of the log
      accessLogDestination: new LogGroupLogDestination(accessLogs),
      accessLogFormat: AccessLogFormat.custom(ACCESS_LINE),
    },
  });
  keepExecutionLogs(scope, api, deployment);
  addGatewayResponses(api);
  for (const { entry, live } of Object.values(functions)) {
    for (const path of entry.paths ?? []) {
      const integration = new LambdaIntegration(live, { scopePermissionToMethod: false });
      const resource = api.root.resourceForPath(path);
      resource.addMethod('ANY', integration);
      resource.addResource('{proxy+}').addMethod('ANY', integration);
    }
  }
  return { api, accessLogs };
}

/**
 * Creates the log group to which API Gateway writes its own log. The name is fixed; created here, the group has a
 * retention and is deleted with the stack.
 */
function keepExecutionLogs(scope: Construct, api: RestApi, deployment: Deployment): void {
  const group = new LogGroup(scope, 'GatewayLogs', {
    logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${deployment.stage}`,
    ...logKeeping(deployment),
  });
  api.deploymentStage.node.addDependency(group);
}

/** The gateway's log line of a request; it covers requests that never reach a function. */
export const ACCESS_LINE = JSON.stringify({
  request: '$context.requestId',
  at: '$context.requestTime',
  host: '$context.domainName',
  method: '$context.httpMethod',
  path: '$context.resourcePath', // of the resource: the whole path of a link to a board has its key
  status: '$context.status',
  bytes: '$context.responseLength',
  ms: '$context.responseLatency',
  functionStatus: '$context.integration.status',
  functionMs: '$context.integration.latency',
  functionError: '$context.integration.error',
  error: '$context.error.responseType',
  acl: '$context.wafResponseCode',
  tls: '$context.tlsVersion',
  caller: '$context.identity.sourceIp',
});
