// Makes one module of the command line: node bundle.js PROJECT OUTFILE. In a process of its own, whose memory ends with it.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const [project = '', outfile = ''] = process.argv.slice(2);
await build({
  entryPoints: [join(project, 'infra/cli/support.ts')],
  outfile,
  bundle: true,
  external: ['esbuild', 'lmdb', 'tsx'],
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // Packages in CommonJS ask for `require`; infra/project.ts asks where it lies.
  banner: { js: "import nodeModule from'node:module';const require=nodeModule.createRequire(import.meta.url);" },
  define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(project, 'infra/bundle.js')).href) },
  sourcemap: 'linked', // for NODE_OPTIONS=--enable-source-maps
  sourcesContent: false,
  logLevel: 'warning',
});
