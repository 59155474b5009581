import { readFile, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { routes } from '../../lib/routes.ts';
import { openApiDocument } from './document.ts';
import { withEndpointTable } from './endpoint-table.ts';

/** `npm run openapi`: writes what is derived from the routes. */
const project = (name: string): URL => new URL(`../../${name}`, import.meta.url);
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(await readFile(project('package.json'), 'utf8')));

await writeFile(project('openapi.json'), `${JSON.stringify(openApiDocument(routes, version), null, 2)}\n`);
await writeFile(project('README.md'), withEndpointTable(await readFile(project('README.md'), 'utf8'), routes));
