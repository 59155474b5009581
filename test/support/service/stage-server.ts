import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A stand-in of what AWS tells of a stage: its table, stack, parameter, alarms, queues and bucket. */
export interface StageServer {
  readonly url: string;
  /** The right that the caller lacks, such as `sqs:GetQueueAttributes`. */
  denied: string | undefined;
  parameter: string | undefined; // that remembers the settings
  stack: { readonly outputs: Readonly<Record<string, string>>; readonly types: readonly string[] } | undefined;
  close(): void;
}

const STAGE = 'prod';

/** Starts one on a free port. */
export async function startStage(): Promise<StageServer> {
  const http = createServer((request, response) => void take(request, response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const server: StageServer = {
    url,
    denied: undefined,
    parameter: undefined,
    stack: undefined,
    close: () => {
      http.closeAllConnections();
      http.close();
    },
  };

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const target = request.headers['x-amz-target'];
    const action = new URLSearchParams(body).get('Action');
    const [status, type, reply] =
      target !== undefined
        ? jsonOf(rightOf(String(target)), server)
        : action !== null
          ? xmlOf(action, server)
          : objectOf(server);
    response.writeHead(status, { 'content-type': type });
    response.end(reply);
  }

  return server;
}

type Reply = readonly [status: number, type: string, body: string];
const JSON_TYPE = 'application/x-amz-json-1.0';

/** The replies to calls with JSON, by the right that they need. */
const JSON_CALLS: Readonly<Record<string, (server: StageServer) => object | undefined>> = {
  'dynamodb:DescribeTable': () => ({ Table: { TableArn: 'arn:table', DeletionProtectionEnabled: true } }),
  'dynamodb:DescribeContinuousBackups': () => ({
    ContinuousBackupsDescription: { PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'ENABLED' } },
  }),
  'dynamodb:DescribeTimeToLive': () => ({ TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED' } }),
  'dynamodb:ListTagsOfResource': () => ({ Tags: [{ Key: 'stage', Value: STAGE }] }),
  'sqs:GetQueueAttributes': () => ({ Attributes: { ApproximateNumberOfMessages: '0' } }),
  'ssm:GetParameter': ({ parameter }) => (parameter === undefined ? undefined : { Parameter: { Value: parameter } }),
};

/** The replies to calls with a form, as XML. */
const XML_CALLS: Readonly<Record<string, (server: StageServer) => string | undefined>> = {
  'cloudformation:DescribeStacks': ({ stack }) => {
    if (stack === undefined) return undefined;
    const outputs = members(Object.entries(stack.outputs), ([name, value]) => {
      return `<OutputKey>${name}</OutputKey><OutputValue>${value.replaceAll('<', '&lt;')}</OutputValue>`;
    });
    const status = '<StackStatus>UPDATE_COMPLETE</StackStatus>';
    return `<Stacks><member><StackName>${STAGE}</StackName>${status}<Outputs>${outputs}</Outputs></member></Stacks>`;
  },
  'cloudformation:ListStackResources': ({ stack }) => {
    const types = members(stack?.types ?? [], (type) => `<ResourceType>${type}</ResourceType>`);
    return `<StackResourceSummaries>${types}</StackResourceSummaries>`;
  },
  'sns:ListSubscriptionsByTopic': () =>
    '<Subscriptions><member><SubscriptionArn>arn:of</SubscriptionArn><Endpoint>ops@acme.example</Endpoint></member></Subscriptions>',
};

function jsonOf(right: string, server: StageServer): Reply {
  const refused = (kind: string): Reply => [
    400,
    JSON_TYPE,
    JSON.stringify({ __type: kind, message: notAllowed(right) }),
  ];
  if (server.denied === right) return refused('AccessDeniedException');
  const found = JSON_CALLS[right]?.(server);
  return found === undefined ? refused('ParameterNotFound') : [200, JSON_TYPE, JSON.stringify(found)];
}

function xmlOf(action: string, server: StageServer): Reply {
  const right = Object.keys(XML_CALLS).find((name) => name.endsWith(`:${action}`)) ?? action;
  const refused = (code: string, message: string): Reply => [
    400,
    'text/xml',
    `<ErrorResponse>${errorOf(code, message)}</ErrorResponse>`,
  ];
  if (server.denied === right) return refused('AccessDenied', notAllowed(right));
  const found = XML_CALLS[right]?.(server);
  if (found === undefined) return refused('ValidationError', `Stack with id ${STAGE} does not exist`);
  return [200, 'text/xml', `<${action}Response><${action}Result>${found}</${action}Result></${action}Response>`];
}

/** A bucket in which nothing lies. */
const objectOf = ({ denied }: StageServer): Reply =>
  denied === 's3:GetObject'
    ? [403, 'application/xml', errorOf('AccessDenied', notAllowed(denied))]
    : [404, 'application/xml', errorOf('NoSuchKey', 'There is none.')];

/** `AmazonSSM.GetParameter` → `ssm:GetParameter`. */
function rightOf(target: string): string {
  const [service = '', action = ''] = target.split('.');
  const name = ['dynamodb', 'ssm', 'sqs'].find((one) => service.toLowerCase().includes(one));
  return `${name}:${action}`;
}

const notAllowed = (right: string): string => `User: ops is not authorized to perform: ${right}`;
const errorOf = (code: string, message: string): string =>
  `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
const members = <T>(all: readonly T[], show: (one: T) => string): string =>
  all.map((one) => `<member>${show(one)}</member>`).join('');
