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
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Route } from '../../lib/http/route.ts';
import type { Deployment, Stage } from './context.ts';
import { addGatewayResponses } from './gateway-responses.ts';

export type GroupName = 'topics' | 'macros' | 'insights';

/** Which function answers for the root: `/health`, `/openapi.json` and paths that nobody declared. */
const ROOT: GroupName = 'topics';

const THROTTLE: Readonly<Record<Stage, { readonly rate: number; readonly burst: number }>> = {
  dev: { rate: 50, burst: 100 }, // requests a second
  prod: { rate: 1000, burst: 2000 },
};

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
  { stage, domain, tracing }: Deployment,
  groups: Readonly<Record<GroupName, readonly Pick<Route, 'path'>[]>>,
  functions: Readonly<Record<GroupName, IFunction>>,
): RestApi {
  const accessLogs = new LogGroup(scope, 'AccessLogs', {
    retention: stage === 'dev' ? RetentionDays.ONE_WEEK : RetentionDays.THREE_MONTHS,
    removalPolicy: stage === 'dev' ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
  });
  const api = new RestApi(scope, 'Api', {
    restApiName: `support-service-${stage}`, // its metrics bear the name: alarms of stages in one account stay apart
    description: `Support-service API (${stage})`,
    endpointTypes: [EndpointType.REGIONAL],
    disableExecuteApiEndpoint: domain !== undefined,
    minCompressionSize: Size.bytes(1024), // the functions never compress
    cloudWatchRole: true,
    cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN, // one an account and region: other APIs may lean on it
    deployOptions: {
      stageName: stage,
      throttlingRateLimit: THROTTLE[stage].rate,
      throttlingBurstLimit: THROTTLE[stage].burst,
      tracingEnabled: tracing === 'on',
      metricsEnabled: true,
      loggingLevel: MethodLoggingLevel.ERROR,
      dataTraceEnabled: false, // bodies and credentials stay out of the log
      accessLogDestination: new LogGroupLogDestination(accessLogs),
      accessLogFormat: AccessLogFormat.custom(ACCESS_LINE),
    },
  });
  addGatewayResponses(api);
  const answerAll = (place: IResource, group: GroupName): void => {
    const integration = new LambdaIntegration(functions[group], { scopePermissionToMethod: false });
    place.addMethod('ANY', integration);
    place.addResource('{proxy+}').addMethod('ANY', integration);
  };
  answerAll(api.root, ROOT);
  for (const group of ['topics', 'macros', 'insights'] as const) {
    for (const prefix of prefixesOf(groups[group])) answerAll(api.root.resourceForPath(prefix), group);
  }
  return api;
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
