import { readFile, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { routes } from '../../lib/routes.ts';
import { projectPath } from '../project.ts';
import { openApiDocument } from './document.ts';
import { withEndpointTable } from './endpoint-table.ts';
import { withGuideTables } from './guide-tables.ts';

/** `npm run openapi`: writes the files derived from the routes and the registries of reports. */
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(await readFile(projectPath('package.json'), 'utf8')));

await writeFile(projectPath('openapi.json'), `${JSON.stringify(openApiDocument(routes, version), null, 2)}\n`);
await writeFile(projectPath('README.md'), withEndpointTable(await readFile(projectPath('README.md'), 'utf8'), routes));
await writeFile(
  projectPath('docs/insights.md'),
  withGuideTables(await readFile(projectPath('docs/insights.md'), 'utf8')),
);
