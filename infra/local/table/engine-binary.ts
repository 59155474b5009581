import { createRequire } from 'node:module';

/** Path of the embedded engine's program for this platform; throws one sentence where no package has it. */
export function embeddedEngine(): string {
  const platform = `${process.platform}-${process.arch}`;
  const file = process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  try {
    return createRequire(import.meta.url).resolve(`@dynoxide/${platform}/${file}`);
  } catch {
    throw new Error(
      `There is no embedded engine for ${platform} here: add the package @dynoxide/${platform} (npm install --no-save @dynoxide/${platform}), or set DYNAMODB_ENDPOINT to a running DynamoDB.`,
    );
  }
}
