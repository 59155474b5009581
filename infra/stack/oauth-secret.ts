import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { GroupName } from './api.ts';
import type { Deployment } from './context.ts';
import type { LiveFunction } from './function.ts';
import { keeping } from './keeping.ts';

/**
 * Creates the secret with the key under which the table keeps the secrets of OAuth tokens. The deploy makes its first
 * text (lib/access/oauth-secrets.ts); `support token rekey` writes others. The functions of endpoints check callers and
 * may read it, no other.
 */
export function createOAuthSecret(
  scope: Construct,
  deployment: Deployment,
  functions: Readonly<Record<GroupName, LiveFunction>>,
): CfnSecret {
  const secret = new CfnSecret(scope, 'OAuthSecret', {
    description: `The key of OAuth secrets in the table (${deployment.stage})`,
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
  });
  secret.applyRemovalPolicy(keeping(deployment));
  const read = new PolicyStatement({
    sid: 'OAuthKey',
    effect: Effect.ALLOW,
    actions: ['secretsmanager:GetSecretValue'],
    resources: [secret.attrId], // its ARN; an emulator's `Ref` is the name, which no policy matches
  });
  for (const { code } of Object.values(functions)) {
    code.addEnvironment('OAUTH_SECRET', secret.attrId);
    code.addToRolePolicy(read);
  }
  return secret;
}
