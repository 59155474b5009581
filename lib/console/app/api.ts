import { ownJson } from '../../own-json.ts';
import { Busy } from '../model/queue.ts';

/** The prefix of every path: the stage of API Gateway, or empty. */
export const PREFIX = document.querySelector<HTMLMetaElement>('meta[name=prefix]')?.content ?? '';

/** What a user has once signed in. The password is not part of it. */
export interface Session {
  readonly login: string;
  readonly token: string; // ends without use (docs/interface.md)
}

/** A session as an `Authorization` header. */
export const authorizationOf = ({ token }: Session): string => `Bearer ${token}`;

/** Base64 of a text's UTF-8 bytes. */
const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** One fault of a request as the API reports it. */
export interface ApiFault {
  readonly field: string; // `time.window_size`
  readonly code: string; // blank, invalid, too_large, …
  readonly message?: string; // a sentence for people, if the service has one
}

/** Thrown when the service refuses a request, or with status 0 when it cannot be reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly faults: readonly ApiFault[];

  constructor(status: number, message: string, faults: readonly ApiFault[] = []) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.faults = faults;
  }

  /** Whether some fault has this code. */
  has(code: string): boolean {
    return this.faults.some((fault) => fault.code === code);
  }
}

export interface Ask {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Answer<T> {
  readonly data: T;
  readonly etag: string | undefined;
}

export interface Api {
  readonly session: Session;
  /** Sends a request for JSON; throws `ApiError`, or `Busy` for a 429. */
  readonly ask: <T>(path: string, options?: Ask) => Promise<Answer<T>>;
  /** The same for a text of the type in the header `Accept`. */
  readonly text: (path: string, options?: Ask) => Promise<string>;
}

/** Signs in: from here on the token of the session stands for the password. Throws `ApiError` and `Busy`. */
export async function beginSession(login: string, password: string, keep: boolean): Promise<Session> {
  const send = sender(`Basic ${base64(`${login}:${password}`)}`, () => undefined);
  const [, browser = 'a browser'] = /(Firefox|Edg|Chrome|Safari)\//.exec(navigator.userAgent) ?? [];
  const body = { keep, name: `Console in ${browser}` };
  const response = await send('/api/v2/session', { method: 'POST', body });
  const session = ownJson<Session>(await response.text());
  return { login: session.login, token: session.token };
}

type Send = (path: string, options: Ask) => Promise<Response>;

/** Creates a client of the site's API. It calls `onUnauthorized` when the session has ended. */
export function createApi(session: Session, onUnauthorized: () => void): Api {
  const send = sender(authorizationOf(session), onUnauthorized);
  return {
    session,
    ask: async <T>(path: string, options: Ask = {}) => {
      const response = await send(path, options);
      const text = await response.text();
      const data = ownJson<T>(text === '' ? 'null' : text);
      return { data, etag: response.headers.get('ETag') ?? undefined };
    },
    text: async (path, options = {}) => (await send(path, options)).text(),
  };
}

function sender(Authorization: string, onUnauthorized: () => void): Send {
  return async function send(path: string, { method = 'GET', body, headers = {}, signal }: Ask): Promise<Response> {
    const response = await fetch(`${PREFIX}${path}`, {
      method,
      credentials: 'omit', // so that the browser adds, stores or asks for no credentials
      cache: 'no-store',
      headers: {
        Authorization,
        'X-Requested-With': 'support-console',
        Accept: 'application/json',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw new ApiError(0, 'network');
    });
    if (response.ok) return response;
    if (response.status === 401) onUnauthorized();
    if (response.status === 429) throw new Busy(Math.max(1, Number(response.headers.get('X-Rate-Limit-Reset')) || 1));
    throw await refusal(response);
  };
}

/** The body of a refusal, all parts of which may be missing. */
interface Refused {
  readonly message?: string;
  readonly errors?: unknown;
  readonly details?: readonly ApiFault[];
}

async function refusal(response: Response): Promise<ApiError> {
  const body = await response
    .text()
    .then(ownJson<Refused | null>)
    .catch(() => null);
  const { message = '', errors, details } = body ?? {};
  return new ApiError(response.status, message, details ?? faultsOf(errors, []));
}

/** Turns the tree of faults, such as `{"time":{"max":["invalid"]}}`, into a list. */
function faultsOf(errors: unknown, path: readonly string[]): ApiFault[] {
  if (Array.isArray(errors)) return errors.map((code) => ({ field: path.join('.'), code: String(code) }));
  if (typeof errors !== 'object' || errors === null) return [];
  return Object.entries(errors).flatMap(([name, inner]) => faultsOf(inner, [...path, name]));
}
