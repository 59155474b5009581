import middy from '@middy/core';
import type { APIGatewayProxyResult, Context as LambdaContext } from 'aws-lambda';
import { Failure } from '../errors.ts';
import { describeError } from '../log.ts';
import { newUsage } from '../store/usage.ts';
import { createAnswer } from './answer.ts';
import { type AnswerTimeout, newAnswerTimeout } from './answer-timeout.ts';
import { type Ending, newEnding } from './ending.ts';
import { type Exchange, logLine } from './exchange.ts';
import { replyHeaders } from './headers.ts';
import { createRefusals } from './refusals.ts';
import { failed, ifNoneMatch, type Reply } from './reply.ts';
import { type GatewayEvent, type Request, toRequest } from './request.ts';
import type { Service } from './service.ts';

/** What the local server passes besides the event. */
export interface LocalContext {
  readonly readBody: Request['readBody']; // called once the caller is known
  readonly readStream: () => AsyncIterable<Uint8Array>; // the body as it arrives, of any size
  readonly onHangUp: (listener: () => void) => void; // calls `listener` if the client leaves before the answer
}

/** The context of a request that has begun. */
interface TracedContext {
  exchange?: Exchange & { readonly ending: Ending; readonly timeout: AnswerTimeout };
}

/** What a request is answered with. */
export interface Result extends Pick<APIGatewayProxyResult, 'statusCode' | 'body'> {
  readonly headers: Record<string, string>;
}

export type Handler = (event: GatewayEvent, context: Partial<LambdaContext & LocalContext>) => Promise<Result>;

/**
 * The handler of a group of routes, the same for API Gateway and the local server. It casts because middy's types ask
 * for Lambda's whole context, and nothing of it is read here.
 */
export function serve(service: Service): Handler {
  const { log, clock } = service;
  const answer = createAnswer(service);
  const noteRefusal = createRefusals(log);

  /** Turns a reply into the gateway's result, and writes the request's log line. */
  function finish(exchange: Exchange | undefined, reply: Reply): Result {
    const headers = replyHeaders(reply, exchange?.request, exchange?.route, exchange?.headers);
    const current = reply.status === 200 && exchange !== undefined && isCurrent(exchange.request, headers.ETag);
    const status = current ? 304 : reply.status;
    if (current) delete headers['Content-Type'];
    if (exchange) log('info', 'request', logLine(exchange, status, clock()));
    return { statusCode: status, headers, body: current ? '' : (reply.body ?? '') };
  }

  function fail(exchange: Exchange | undefined, error: unknown): Result {
    const failure = error instanceof Failure ? error : new Failure('internal');
    const id = exchange?.request.id;
    if (failure.kind === 'internal') log('error', 'request failed', { request: id, ...describeError(error) });
    else if (failure.kind === 'unavailable') noteRefusal(reasonOf(failure), { request: id, ...causeOf(failure) });
    return finish(exchange, failed(failure));
  }

  return middy<GatewayEvent, Result>({ timeoutEarlyInMillis: 0 })
    .use({
      before: ({ event, context }) => {
        const traced: Partial<LocalContext> & TracedContext = context;
        const { readBody, readStream, onHangUp } = traced;
        const timeout = newAnswerTimeout(service.answerWithin);
        const body = {
          readBody,
          readStream: readStream && (() => timeout.pausedDuring(readStream())),
        };
        const ending = newEnding();
        onHangUp?.(ending.end);
        const request = toRequest(event, body);
        // Not kept in a WeakMap: V8 would copy each exchange into its old space, a fifth of a warm GET's time.
        traced.exchange = { request, usage: newUsage(), started: clock(), ending, timeout, headers: {} };
      },
      onError: (request) => {
        const { exchange }: TracedContext = request.context;
        request.response = fail(exchange, request.error);
      },
    })
    .handler(async (_event, { exchange }: TracedContext) => {
      if (exchange === undefined) throw new Error('a request without its exchange');
      try {
        return finish(exchange, await exchange.timeout.race(answer(exchange)));
      } finally {
        exchange.ending.end();
      }
    }) as Handler;
}

/** Why a request was refused; of a refusal without a cause, that there was too much to do. */
const reasonOf = ({ cause, message }: Failure): string => (cause instanceof Error ? cause.message : message);

const causeOf = ({ cause }: Failure) => (cause === undefined ? {} : describeError(cause));

const isCurrent = ({ method, headers }: Request, etag: string | undefined): boolean =>
  etag !== undefined && (method === 'GET' || method === 'HEAD') && ifNoneMatch(headers['if-none-match'], etag);
