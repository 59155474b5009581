import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Deployment } from './context.ts';
import type { LiveFunction } from './function.ts';
import { checksCallers, type EachFunction } from './functions.ts';
import { keeping } from './keeping.ts';

/**
 * Creates the secret with the key under which the table keeps the secrets of OAuth tokens; `support token rekey` writes
 * others. The functions of endpoints check callers and may read it, no other.
 */
export const createOAuthSecret = (
  scope: Construct,
  deployment: Deployment,
  functions: EachFunction<LiveFunction>,
): CfnSecret =>
  createKey(scope, deployment, {
    id: 'OAuthSecret',
    description: 'The key of OAuth secrets in the table',
    sid: 'OAuthKey',
    variable: 'OAUTH_SECRET',
    readers: Object.values(functions).filter(({ entry }) => checksCallers(entry)),
  });

/** Creates the secret with the key under which the table keeps the credentials of help desks. */
export const createConnectionSecret = (
  scope: Construct,
  deployment: Deployment,
  { connections, pulls }: EachFunction<LiveFunction>,
): CfnSecret =>
  createKey(scope, deployment, {
    id: 'ConnectionSecret',
    description: 'The key of connections to help desks in the table',
    sid: 'ConnectionKey',
    variable: 'CONNECTION_SECRET',
    readers: [connections, pulls],
    excludeCharacters: PUNCTUATION,
  });

/** What an emulator excludes by name alone. Not added to the secret of OAuth: a deploy would make that anew. */
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/** The secret of a key, and who reads it. */
interface KeySecret {
  readonly id: string;
  readonly description: string;
  readonly sid: string; // of the statement in the roles of the readers
  readonly variable: string; // of the readers' environment
  readonly readers: readonly LiveFunction[];
  readonly excludeCharacters?: string;
}

/** Creates a secret whose first text the deploy makes; the key is its SHA-256 (lib/access/oauth/oauth-secrets.ts). */
function createKey(
  scope: Construct,
  deployment: Deployment,
  { id, description, sid, variable, readers, excludeCharacters }: KeySecret,
): CfnSecret {
  const secret = new CfnSecret(scope, id, {
    description: `${description} (${deployment.stage})`,
    generateSecretString: {
      passwordLength: 64,
      excludePunctuation: true,
      ...(excludeCharacters && { excludeCharacters }),
    },
  });
  secret.applyRemovalPolicy(keeping(deployment));
  const read = new PolicyStatement({
    sid,
    effect: Effect.ALLOW,
    actions: ['secretsmanager:GetSecretValue'],
    resources: [secret.attrId], // its ARN; an emulator's `Ref` is the name, which no policy matches
  });
  for (const { code } of readers) {
    code.addEnvironment(variable, secret.attrId);
    code.addToRolePolicy(read);
  }
  return secret;
}
