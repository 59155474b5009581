import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** A text in AWS Secrets Manager. */
export interface Secret {
  read(): Promise<string>;
  write(text: string): Promise<void>;
}

/** Limits of calls for a secret: silence, in ms, and tries. */
export const SECRET_CALLS = { silence: 10_000, tries: 4 } as const;

/** Opens a secret by its name or ARN. `AWS_ENDPOINT_URL` replaces AWS, as for every client of the SDK. */
export function openSecret(SecretId: string): Secret {
  const client = new SecretsManagerClient({
    maxAttempts: SECRET_CALLS.tries,
    requestHandler: { socketTimeout: SECRET_CALLS.silence, connectionTimeout: 2_000 },
  });
  return {
    read: async () => (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '',
    write: async (SecretString) => void (await client.send(new PutSecretValueCommand({ SecretId, SecretString }))),
  };
}
