import { build } from 'esbuild';

/** Defines `require` for CommonJS modules inside a bundle. */
export const REQUIRE = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

/** The options of a function's bundle: one minified ES module for Node 24 that includes the SDK. */
export const BUNDLING = {
  target: 'node24',
  minify: true,
  sourceMap: true,
  mainFields: ['module', 'main'],
};

/** Modules that a function's bundle replaces; paths are relative to the project. */
export const ALIAS = { '@aws-sdk/credential-provider-node': './infra/environment-credentials.ts' } as const;

/** Bundles one entry into one file, as the deploy does. */
export async function bundle(entry: string, outfile: string, alias: Record<string, string> = ALIAS): Promise<void> {
  const { target, minify, sourceMap, mainFields } = BUNDLING;
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target,
    minify,
    sourcemap: sourceMap ? 'linked' : false,
    sourcesContent: false,
    mainFields,
    banner: { js: REQUIRE },
    alias,
    absWorkingDir: process.cwd(),
    nodePaths: ['node_modules'],
    logLevel: 'warning',
  });
}
