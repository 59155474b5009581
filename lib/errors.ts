import {
  codesIn,
  type Detail,
  detailsOf,
  type Explained,
  type FaultCode,
  type FaultTree,
  type Hint,
  type RefusalCode,
} from './fault-details.ts';

/** Every way a request can fail, with its status and message (docs/interface.md). */
export const FAILURES = {
  bad_request: { status: 400, message: 'Bad Request' },
  unauthorized: { status: 401, message: 'Unauthorized' },
  forbidden: { status: 403, message: 'Forbidden' },
  not_found: { status: 404, message: 'Resource Not Found' },
  method_not_allowed: { status: 405, message: 'Method Not Allowed' },
  request_timeout: { status: 408, message: 'Request Timeout' },
  conflict: { status: 409, message: 'Conflict' },
  gone: { status: 410, message: 'Gone' },
  precondition_failed: { status: 412, message: 'Precondition Failed' },
  payload_too_large: { status: 413, message: 'Payload Too Large' },
  unsupported_media_type: { status: 415, message: 'Unsupported Media Type' },
  invalid: { status: 422, message: 'Validation Failed' },
  too_many_requests: { status: 429, message: 'Too Many Requests' },
  internal: { status: 500, message: 'Internal Server Error' },
  unavailable: { status: 503, message: 'Service Unavailable' },
} as const;

export type FailureKind = keyof typeof FAILURES;

export interface FailureDetails {
  readonly message?: string; // default: the message of the kind
  readonly errors?: FaultTree;
  readonly details?: readonly Detail[]; // for people; default: derived from `errors`
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the compiler asks of a failure that names nothing else: the sentence that says what was refused. */
interface Said extends FailureDetails {
  readonly details: readonly Detail[];
}

type Saying = RefusalCode | 'bad_request';

/** Thrown when a request fails; only `lib/http/serve.ts` turns it into a reply. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly errors: FaultTree | undefined;
  readonly details: readonly Detail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: Exclude<FailureKind, Saying>, details?: FailureDetails);
  constructor(kind: Saying, details: Said);
  constructor(kind: FailureKind, plain: FailureDetails & { readonly kind: FailureKind });
  constructor(kind: FailureKind, details: FailureDetails = {}) {
    super(details.message ?? FAILURES[kind].message);
    this.name = 'Failure';
    this.kind = kind;
    this.errors = details.errors;
    this.details = details.details ?? (details.errors && detailsOf(details.errors));
    this.headers = details.headers ?? {};
  }

  /** The same failure with further headers. */
  withHeaders(headers: Readonly<Record<string, string>>): Failure {
    return new Failure(this.kind, { ...this.plain(), headers: { ...this.headers, ...headers } });
  }

  /** The failure as plain data, from which it can be made again. */
  plain(): FailureDetails & { readonly kind: FailureKind } {
    const { kind, message, errors, details, headers } = this;
    return { kind, message, ...(errors && { errors }), ...(details && { details }), headers };
  }

  get status(): number {
    return FAILURES[this.kind].status;
  }
}

/** Collects all faults of a request, to report them together. */
export class Faults {
  readonly #tree: FaultTree = {};
  readonly #hints = new Map<string, Hint>(); // keyed by path and code

  /** Adds a code that says enough to a field, given by its path: `add('taken', 'name')`. */
  add(code: Exclude<FaultCode, 'invalid'>, ...path: readonly (string | number)[]): void {
    this.#add(code, path);
  }

  #add(code: FaultCode, path: readonly (string | number)[]): void {
    let node = this.#tree;
    for (const part of path.slice(0, -1)) {
      const next = node[part];
      if (Array.isArray(next)) return; // the containing field has a fault already
      node = next ?? (node[part] = {});
    }
    const last = path.at(-1) ?? 'base';
    const codes = node[last];
    if (codes === undefined) node[last] = [code];
    else if (Array.isArray(codes) && !codes.includes(code)) codes.push(code);
  }

  /** Adds a code with a hint for people: what is allowed, or a sentence of its own. */
  explain(code: FaultCode, path: readonly (string | number)[], hint: Explained): void {
    this.#add(code, path);
    const name = `${path.join('.')} ${code}`;
    if (!this.#hints.has(name)) this.#hints.set(name, hint);
  }

  /** Adds the faults of a failure to the field at `path`, each with its detail. */
  addBelow(path: readonly string[], { errors = {}, details = [] }: Pick<Failure, 'errors' | 'details'>): void {
    for (const [nth, { code, ...place }] of codesIn(errors).entries()) {
      const { field, message = '', allowed } = details[nth] ?? {};
      const hint = { message, ...(allowed && { allowed }), ...(field && { field: [...path, field].join('.') }) };
      this.explain(code, [...path, ...place.path], hint);
    }
  }

  /** Whether a field of the body, or a part of it, has a fault. */
  has(field: string): boolean {
    return this.#tree[field] !== undefined;
  }

  get any(): boolean {
    return Object.keys(this.#tree).length > 0;
  }

  /** The 422 that names every fault. */
  failure(): Failure {
    return new Failure('invalid', { errors: this.#tree, details: detailsOf(this.#tree, this.#hints) });
  }

  /** Throws that 422; does nothing if there is no fault. */
  check(): void {
    if (this.any) throw this.failure();
  }
}

/** A refusal with the sentence that names what it is about, which its reply has among its `details`. */
export const refusal = (kind: RefusalCode, message: string, headers: Readonly<Record<string, string>> = {}): Failure =>
  new Failure(kind, { details: [{ field: '', code: kind, message }], headers });

/** The same for endpoints that no program of the original knows: the body's `message` is the sentence, too. */
export const plainRefusal = (kind: RefusalCode, message: string): Failure =>
  new Failure(kind, { message, details: [{ field: '', code: kind, message }] });

/** The 404 of a resource; `what` names it, as in `topic 7`. */
export const notFound = (what: string): Failure => refusal('not_found', `There is no ${what}.`);

/** The 400 of what cannot be read at all, with the reason. */
export const badRequest = (message: string): Failure =>
  new Failure('bad_request', { details: [{ field: '', code: 'invalid', message }] });

const SHOWN = 80; // characters shown of what a client sent

/** What a client sent, as a refusal shows it. */
export const asSent = (sent: string): string => JSON.stringify(sent.length > SHOWN ? `${sent.slice(0, SHOWN)}…` : sent);

/** The 405 of a path. */
export const wrongMethod = (method: string, path: string, allowed: string): Failure =>
  refusal('method_not_allowed', `${asSent(path)} takes ${allowed}, not ${method}.`, { Allow: allowed });

/** The 413 of a body, or of a file, that has more than `most` bytes. */
export const tooLargeBody = (what: string, most: number): Failure =>
  refusal('payload_too_large', `${what} has more than ${most.toLocaleString('en')} bytes.`);

/** The 429 that says why, and how many seconds to wait. */
export function tooManyRequests(why: string, seconds: number): Failure {
  const wait = String(seconds);
  return refusal('too_many_requests', `${why} Try again in ${wait} s.`, {
    ...{ 'X-Rate-Limit-Remaining': '0', 'X-Rate-Limit-Reset': wait, 'Retry-After': wait },
  });
}

/** The 422 of a single fault; `message` explains it to people. */
export function oneFault(code: FaultCode, path: readonly string[], message: string): Failure {
  const faults = new Faults();
  faults.explain(code, path, { message });
  return faults.failure();
}
