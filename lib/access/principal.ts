import * as z from 'zod';
import { TOKEN_KINDS, type Token, tokenId, tokenKind } from './tokens.ts';
import type { User } from './users.ts';

/** What somebody signs in with. */
export const CREDENTIALS = ['password', ...TOKEN_KINDS] as const;

const credentialShape = z.object({
  kind: z.enum(CREDENTIALS),
  token: z.int().optional(), // id of the token or session; absent for a password
});
export type Credential = Readonly<z.infer<typeof credentialShape>>;

const signedInShape = z.object({
  login: z.string(),
  generation: z.int(), // of the login: another one of the same name is somebody else
  credential: credentialShape,
});
/** Somebody who signed in. */
export type SignedIn = Readonly<z.infer<typeof signedInShape>>;

/** Who acts: somebody who signed in, the operator at the command line, or the service itself, as for the queue. */
export const principalShape = z.union([signedInShape, z.enum(['operator', 'service'])]);
export type Principal = Readonly<z.infer<typeof principalShape>>;

/** A user's credential: the password, or a token. */
export const credentialOf = (token: Token | undefined): Credential =>
  token === undefined ? { kind: 'password' } : { kind: tokenKind(token), token: tokenId(token) };

/** Somebody who signed in as a user. */
export const signedInAs = ({ login, generation = 0 }: User, credential: Credential): SignedIn => ({
  login,
  generation,
  credential,
});

/** Whether a person acts, or the operator: a token of a program may be a leaked one. */
export const isPerson = (actor: Principal): boolean =>
  typeof actor === 'string' || actor.credential.kind === 'password' || actor.credential.kind === 'session';
