import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { FAILURES, type FailureKind } from '../../lib/errors.ts';
import { HTTPS_HEADERS, USUAL_HEADERS } from '../../lib/http/headers.ts';

interface GatewayFailure {
  readonly type: ResponseType;
  readonly kind?: FailureKind; // gives status and message
  readonly message?: string; // a template expression instead of the kind's message
  readonly headers?: Readonly<Record<string, string>>;
}

const soon = { 'Retry-After': "'1'" };

/**
 * The gateway's own replies, in our form (docs/interface.md). The two defaults have no status code: it would replace
 * that of every failure they stand for.
 */
const GATEWAY_FAILURES: readonly GatewayFailure[] = [
  { type: ResponseType.DEFAULT_4XX, message: '$context.error.messageString' },
  { type: ResponseType.DEFAULT_5XX, message: JSON.stringify(FAILURES.internal.message) },
  { type: ResponseType.BAD_REQUEST_BODY, kind: 'bad_request' },
  { type: ResponseType.BAD_REQUEST_PARAMETERS, kind: 'bad_request' },
  { type: ResponseType.MISSING_AUTHENTICATION_TOKEN, kind: 'not_found' },
  { type: ResponseType.RESOURCE_NOT_FOUND, kind: 'not_found' },
  { type: ResponseType.REQUEST_TOO_LARGE, kind: 'payload_too_large' },
  {
    type: ResponseType.THROTTLED,
    kind: 'too_many_requests',
    headers: { ...soon, 'X-Rate-Limit-Reset': "'1'", 'X-Rate-Limit-Remaining': "'0'" },
  },
  { type: ResponseType.INTEGRATION_TIMEOUT, kind: 'unavailable', headers: soon },
  { type: ResponseType.INTEGRATION_FAILURE, kind: 'unavailable', headers: soon },
];

/**
 * Constant headers. The gateway writes them in quotes, and cannot write values that contain quotes
 * (Content-Security-Policy).
 */
const CONSTANTS = Object.entries({ ...USUAL_HEADERS, ...HTTPS_HEADERS })
  .filter(([, value]) => !value.includes("'"))
  .map(([name, value]) => [name, `'${value}'`] as const);
const COMMON = { ...Object.fromEntries(CONSTANTS), 'X-Request-Id': 'context.requestId' };

/** Sets the replies of the gateway itself, for requests that never reach a function. */
export function addGatewayResponses(api: RestApi): void {
  for (const { type, kind, message, headers } of GATEWAY_FAILURES) {
    const text = message ?? JSON.stringify(kind && FAILURES[kind].message);
    api.addGatewayResponse(type.responseType, {
      type,
      ...(kind !== undefined && { statusCode: String(FAILURES[kind].status) }),
      responseHeaders: { ...COMMON, ...headers },
      templates: { 'application/json': `{"message":${text}}` },
    });
  }
}
