/** Faults of a body or query: field → short codes, nested fields as nested objects. */
export interface FaultTree {
  [field: string]: FaultCode[] | FaultTree;
}

/** The short codes of a 422. */
export const FAULT_CODES = [
  ...(['blank', 'invalid', 'taken', 'too_long', 'too_large', 'not_found'] as const),
  ...(['refused', 'unreachable', 'forbidden', 'shared'] as const), // of connections to help desks
] as const;
export type FaultCode = (typeof FAULT_CODES)[number];

/** The codes of refusals, which name in one sentence what they are about. */
export const REFUSAL_CODES = [
  ...(['forbidden', 'not_found', 'method_not_allowed', 'request_timeout', 'conflict', 'gone'] as const),
  ...(['precondition_failed', 'payload_too_large', 'unsupported_media_type', 'too_many_requests'] as const),
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** One fault, or what a refusal is about, explained for a person. */
export interface Detail {
  readonly field: string; // path with dots; that of the element if the code is on its list
  readonly code: FaultCode | RefusalCode;
  readonly message: string;
  readonly allowed?: readonly string[]; // only if there are few
}

/** What the code that finds a fault knows about it. */
export interface Hint {
  readonly field?: string; // a more exact path than the fault's own
  readonly message?: string;
  readonly noun?: string; // for "… is no <noun>."; default: the field's name
  readonly sent?: unknown; // the value at fault
  readonly allowed?: readonly string[];
  readonly takes?: string | undefined; // what the field takes, in words: `a whole number from 1`
}

/** A hint that says what is allowed, which the code alone does not. */
export type Explained = Hint &
  ({ readonly message: string } | { readonly allowed: readonly string[] } | { readonly takes: string | undefined });

const MOST = 100; // details in a reply at most
const FEW = 40; // allowed values in a detail at most
const SHOWN = 80; // characters shown of a value at fault

const USUAL: Readonly<Record<FaultCode, string>> = {
  blank: 'is missing or blank',
  invalid: 'has a value that is not allowed',
  taken: 'is taken already',
  too_long: 'is too long',
  too_large: 'is too large',
  not_found: 'names something that does not exist',
  refused: 'is refused',
  unreachable: 'does not answer as it should',
  forbidden: 'may not be called',
  shared: 'is also of others',
};

/**
 * All faults as a list for people, one entry for each code. `hints` are keyed by path (with dots), a space and the
 * code.
 */
export function detailsOf(errors: FaultTree, hints: ReadonlyMap<string, Hint> = new Map()): Detail[] {
  return codesIn(errors).map(({ path, code }) => {
    const field = path.join('.');
    return detail(field, code, hints.get(`${field} ${code}`) ?? {});
  });
}

/** The codes of faults, each with the path of its field, in the order of details; at most as many as these. */
export function codesIn(errors: FaultTree): { readonly path: readonly string[]; readonly code: FaultCode }[] {
  const found: { readonly path: readonly string[]; readonly code: FaultCode }[] = [];
  const walk = (tree: FaultTree, above: readonly string[]): void => {
    for (const [part, below] of Object.entries(tree)) {
      const path = [...above, part];
      if (found.length >= MOST) return;
      if (!Array.isArray(below)) walk(below, path);
      else for (const code of below) found.push({ path, code });
    }
  };
  walk(errors, []);
  return found;
}

function detail(path: string, code: FaultCode, hint: Hint): Detail {
  const { field = path, allowed } = hint;
  const message = hint.message ?? (allowed ? notAllowed(hint, field, allowed) : whatItTakes(hint, field, code));
  return { field, code, message, ...(allowed && allowed.length <= FEW && { allowed }) };
}

function notAllowed({ sent, noun }: Hint, field: string, allowed: readonly string[]): string {
  const near = typeof sent === 'string' ? closest(sent, allowed) : undefined;
  const what = `${shown(sent)} is no ${noun ?? field.split('.').at(-1)}.`;
  return near === undefined ? what : `${what} Did you mean ${near}?`;
}

/** The fault and what the field takes. A value at fault is shown as JSON, in which "1" and 1 differ. */
function whatItTakes({ sent, takes }: Hint, field: string, code: FaultCode): string {
  const rest = takes === undefined ? '' : `; it takes ${takes}`;
  const isShown = code === 'invalid' && sent !== undefined && takes !== undefined;
  return `${field} ${isShown ? `is ${cut(JSON.stringify(sent))}` : USUAL[code]}${rest}.`;
}

function shown(value: unknown): string {
  return cut(typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? 'nothing'));
}

const cut = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

/** The known word nearest to a misspelt one: at most a third of its letters differ; undefined if none is near. */
export function closest(text: string, words: readonly string[]): string | undefined {
  const wanted = text.toLowerCase();
  if (wanted.length > SHOWN) return undefined;
  const [nearest] = words
    .map((word) => ({ word, far: distance(wanted, word.toLowerCase()) }))
    .sort((a, b) => a.far - b.far);
  return nearest && nearest.far <= Math.max(1, Math.floor(nearest.word.length / 3)) ? nearest.word : undefined;
}

/** How many letters must be inserted, removed or changed to turn one text into the other (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
