import type { OAuthProblem } from '../../access/oauth.ts';
import { Failure } from '../../errors.ts';

/** The 401 that asks for credentials. */
export const unauthorized = (): Failure =>
  new Failure('unauthorized', { headers: { 'WWW-Authenticate': 'Basic realm="support"' } });

/** The 401 that names what is wrong with a signature. */
export const unsigned = (problem: OAuthProblem): Failure => unauthorized().withHeaders({ 'X-OAuth-Problem': problem });
