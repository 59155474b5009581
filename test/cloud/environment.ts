const USUAL = {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
  CDK_DEFAULT_ACCOUNT: '000000000000',
  CDK_DEFAULT_REGION: 'us-east-1',
};

/** What AWS tools need to find an emulator at an endpoint; what the environment says already stays. */
export function environmentOf(endpoint: string): Readonly<Record<string, string>> {
  const set = Object.entries(USUAL).map(([name, usual]) => [name, process.env[name] ?? usual]);
  return { AWS_ENDPOINT_URL: endpoint, ...Object.fromEntries(set) };
}
