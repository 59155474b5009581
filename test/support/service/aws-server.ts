import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A message as SQS was sent it. */
export interface SentMessage {
  readonly MessageId: string;
  readonly QueueUrl: string;
  readonly MessageBody: string;
  readonly MessageGroupId?: string;
  readonly MessageAttributes?: Readonly<Record<string, { readonly StringValue: string }>>;
}

/** A stand-in of AWS on this machine: its queues keep what they are sent, and its SES takes mails at a rate. */
export interface AwsServer {
  readonly url: string; // for AWS_ENDPOINT_URL
  readonly sent: SentMessage[];
  readonly mails: { readonly to: string; readonly bytes: number; readonly at: number }[]; // at: ms of `performance.now()`
  readonly throttled: number; // mails that were refused as too many
  mailsPerSecond: number; // that SES takes, at first any; as many at once
  /** Tells of each message that a queue is sent. */
  onSent: (message: SentMessage) => void;
  close(): void;
}

const ANY = 1_000_000; // mails a second

/** Starts one on a free port. */
export async function startAws(): Promise<AwsServer> {
  let room = 0; // mails that SES takes at once
  let filled = 0; // ms of `performance.now()`
  let throttled = 0;

  function takeMail(body: Readonly<Record<string, never>>, response: ServerResponse): void {
    const now = performance.now();
    const { mailsPerSecond } = server;
    room = Math.min(mailsPerSecond, room + ((now - filled) / 1000) * mailsPerSecond);
    filled = now;
    if (room < 1) {
      throttled += 1;
      response.writeHead(429, { 'content-type': 'application/json', 'x-amzn-errortype': 'TooManyRequestsException' });
      response.end(JSON.stringify({ message: 'Maximum sending rate exceeded.' }));
      return;
    }
    room -= 1;
    const { Destination, Content } = body as unknown as {
      readonly Destination: { readonly ToAddresses: readonly [string] };
      readonly Content: { readonly Raw: { readonly Data: string } };
    };
    const bytes = Buffer.from(Content.Raw.Data, 'base64').length;
    server.mails.push({ to: Destination.ToAddresses[0], bytes, at: now });
    answer(response, { MessageId: randomUUID() });
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse((await text(request)) || '{}');
    if (request.url === '/v2/email/outbound-emails') return takeMail(body, response);
    const target = String(request.headers['x-amz-target']);
    if (target === 'AmazonSQS.SendMessage') {
      const message: SentMessage = { ...body, MessageId: randomUUID() };
      server.sent.push(message);
      server.onSent(message);
      const MD5OfMessageBody = createHash('md5').update(message.MessageBody).digest('hex');
      return answer(response, { MessageId: message.MessageId, MD5OfMessageBody });
    }
    if (target === 'AmazonSQS.ChangeMessageVisibility') return answer(response, {});
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify({ __type: 'UnknownOperationException', message: `${request.url} ${target}` }));
  }

  const http = createServer((request, response) => void take(request, response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const server = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    sent: [] as SentMessage[],
    mails: [] as { to: string; bytes: number; at: number }[],
    mailsPerSecond: ANY,
    get throttled() {
      return throttled;
    },
    onSent: (_: SentMessage): void => undefined,
    close: () => {
      http.closeAllConnections();
      http.close();
    },
  };
  return server;
}

function answer(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify(value));
}
