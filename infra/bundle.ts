import { build } from 'esbuild';

/** CommonJS inside a bundle still asks for `require`. */
export const REQUIRE = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

/** What makes a function's bundle: one ES module for Node 24, minified, the SDK in it. */
export const BUNDLING = {
  target: 'node24',
  minify: true,
  sourceMap: true,
  mainFields: ['module', 'main'],
};

/** Modules that a function's bundle has others in the place of; paths are relative to the project. */
export const ALIAS = { '@aws-sdk/credential-provider-node': './lib/store/environment-credentials.ts' } as const;

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
