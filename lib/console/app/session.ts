/** The login and password of the user: kept in memory, and in the tab's storage only if the user asks for that. */
export interface Credentials {
  readonly login: string;
  readonly password: string;
}

/** The credentials as an `Authorization` header. */
export const authorizationOf = ({ login, password }: Credentials): string => `Basic ${base64(`${login}:${password}`)}`;

/** Base64 of a text's UTF-8 bytes. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

const KEY = 'support-console';

/** The credentials stored for the tab; undefined if there are none or the browser has no storage. */
export function keptCredentials(): Credentials | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    if (typeof kept !== 'object' || kept === null || !('login' in kept) || !('password' in kept)) return undefined;
    return { login: String(kept.login), password: String(kept.password) };
  } catch {
    return undefined;
  }
}

/** Stores the credentials for this tab; false if the browser has no storage. */
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
