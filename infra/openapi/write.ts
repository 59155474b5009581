import { readFile, writeFile } from 'node:fs/promises';
import { routes } from '../../lib/routes.ts';
import { withEndpointTable } from './endpoint-table.ts';

/** `npm run openapi`: writes what is derived from the routes. */
const README = new URL('../../README.md', import.meta.url);
await writeFile(README, withEndpointTable(await readFile(README, 'utf8'), routes));
