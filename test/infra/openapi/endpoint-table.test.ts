import { readFileSync } from 'node:fs';
import { withEndpointTable } from '../../../infra/openapi/endpoint-table.ts';
import { routes } from '../../../lib/routes.ts';

it('keeps the endpoint table of the README in step with the routes (npm run openapi writes it)', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  expect(readme).toBe(withEndpointTable(readme, routes));
});
