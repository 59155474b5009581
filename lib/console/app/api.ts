import { Busy } from '../model/queue.ts';
import { authorizationOf, type Credentials } from './session.ts';

/** The prefix of every path: the stage of API Gateway, or empty. */
export const PREFIX = document.querySelector<HTMLMetaElement>('meta[name=prefix]')?.content ?? '';

/** One fault of a request as the API reports it. */
export interface Fault {
  readonly field: string; // `time.window_size`
  readonly code: string; // blank, invalid, too_large, …
  readonly message?: string; // a sentence for people, if the service has one
}

/** Thrown when the service refuses a request, or with status 0 when it cannot be reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly faults: readonly Fault[];

  constructor(status: number, message: string, faults: readonly Fault[] = []) {
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
  readonly credentials: Credentials;
  /** Sends a request for JSON; throws `ApiError`, or `Busy` for a 429. */
  readonly ask: <T>(path: string, options?: Ask) => Promise<Answer<T>>;
  /** The same for a text of the type in the header `Accept`. */
  readonly text: (path: string, options?: Ask) => Promise<string>;
}

/** Creates a client of the site's API. It calls `onUnauthorized` when the credentials are not valid any more. */
export function createApi(credentials: Credentials, onUnauthorized: () => void): Api {
  const Authorization = authorizationOf(credentials);

  async function send(path: string, { method = 'GET', body, headers = {}, signal }: Ask): Promise<Response> {
    const response = await fetch(`${PREFIX}${path}`, {
      method,
      credentials: 'omit', // so that the browser adds, stores or asks for no credentials
      cache: 'no-store',
      headers: {
        Authorization,
        'X-Requested-With': 'support-console',
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw new ApiError(0, 'network');
    });
    if (response.ok) return response;
    if (response.status === 401) onUnauthorized();
    if (response.status === 429) throw new Busy(Math.max(1, Number(response.headers.get('X-Rate-Limit-Reset')) || 1));
    throw await refusal(response);
  }

  return {
    credentials,
    ask: async <T>(path: string, options: Ask = {}) => {
      const response = await send(path, options);
      const text = await response.text();
      const data: T = text === '' ? undefined : JSON.parse(text);
      return { data, etag: response.headers.get('ETag') ?? undefined };
    },
    text: async (path, options = {}) => (await send(path, options)).text(),
  };
}

/** The body of a refusal, all parts of which may be missing. */
interface Refused {
  readonly message?: string;
  readonly errors?: unknown;
  readonly details?: readonly Fault[];
}

async function refusal(response: Response): Promise<ApiError> {
  const body: Refused | null = await response.json().catch(() => null);
  const { message = '', errors, details } = body ?? {};
  return new ApiError(response.status, message, details ?? faultsOf(errors, []));
}

/** Turns the tree of faults, such as `{"time":{"max":["invalid"]}}`, into a list. */
function faultsOf(errors: unknown, path: readonly string[]): Fault[] {
  if (Array.isArray(errors)) return errors.map((code) => ({ field: path.join('.'), code: String(code) }));
  if (typeof errors !== 'object' || errors === null) return [];
  return Object.entries(errors).flatMap(([name, inner]) => faultsOf(inner, [...path, name]));
}
