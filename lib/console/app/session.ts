/** Who is signed in: kept in memory, and in the tab's storage only where somebody asked for that. */
export interface Credentials {
  readonly login: string;
  readonly password: string;
}

/** The credentials as a header has them. */
export const authorizationOf = ({ login, password }: Credentials): string => `Basic ${base64(`${login}:${password}`)}`;

/** Base64 of a text's UTF-8 bytes. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

const KEY = 'support-console';

/** The credentials that the tab keeps; undefined where there are none or the browser has no storage. */
export function keptCredentials(): Credentials | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    if (typeof kept !== 'object' || kept === null || !('login' in kept) || !('password' in kept)) return undefined;
    return { login: String(kept.login), password: String(kept.password) };
  } catch {
    return undefined;
  }
}

/** Keeps credentials for this tab; false where the browser has no storage. */
export function keepCredentials(credentials: Credentials): boolean {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(credentials));
    return true;
  } catch {
    return false;
  }
}

export function forgetCredentials(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // a browser without storage has nothing to forget
  }
}
