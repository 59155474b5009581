import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** A text in AWS Secrets Manager. */
export interface Secret {
  read(): Promise<string>;
  write(text: string): Promise<void>;
}

/** Opens a secret by its name or ARN. `AWS_ENDPOINT_URL` replaces AWS, as for every client of the SDK. */
export function openSecret(SecretId: string): Secret {
  const client = new SecretsManagerClient({
    maxAttempts: 4,
    requestHandler: { requestTimeout: 3_000, connectionTimeout: 2_000 }, // ms; the gateway stops waiting after 29 s
  });
  return {
    read: async () => (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '',
    write: async (SecretString) => void (await client.send(new PutSecretValueCommand({ SecretId, SecretString }))),
  };
}
