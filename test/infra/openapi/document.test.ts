import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openApiDocument } from '../../../infra/openapi/document.ts';
import { toSchema } from '../../../infra/openapi/schemas.ts';
import { Faults } from '../../../lib/errors.ts';
import { parseFields } from '../../../lib/http/fields.ts';
import { routes } from '../../../lib/routes.ts';

const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
const { version } = JSON.parse(read('package.json'));

describe('openapi.json', () => {
  it('is in step with the routes (npm run openapi writes it)', () => {
    expect(JSON.parse(read('openapi.json'))).toEqual(JSON.parse(JSON.stringify(openApiDocument(routes, version))));
  });

  it('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate(JSON.parse(read('openapi.json')))).toEqual({ valid: true });
  });

  it.each(routes)('shows $name with security, failures and an example that fits its shape', (route) => {
    const document = JSON.parse(read('openapi.json'));
    const operation = document.paths[route.path][route.method.toLowerCase()];
    expect(operation).toMatchObject({ operationId: route.name, security: [{ basic: [] }, { token: [] }] });
    expect(operation['x-extension'] ?? false).toBe(route.extension);
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining([`${route.success}`, '401', '403', '500']));
    const { example } = operation.responses[route.success].content?.['application/json'] ?? {};
    if (route.reply) expect(route.reply().safeParse(example)).toMatchObject({ success: true });
    if (route.method === 'POST' || route.method === 'PATCH') {
      const faults = new Faults();
      parseFields(route.body, Object(route.example), route.required, faults);
      expect([faults.any, typeof route.example]).toEqual([false, 'object']);
      if (route.sent) expect(route.sent().safeParse(route.example)).toMatchObject({ success: true });
    }
  });

  it('has a schema for each shape of a reply, also of what is shown only when it is made', () => {
    const { components, paths } = JSON.parse(read('openapi.json'));
    for (const { path, method, name, reply, success } of routes) {
      const shown = paths[path][method.toLowerCase()].responses[success].content?.['application/json']?.schema;
      if (reply === undefined || shown?.$ref === undefined) continue;
      const schema = components.schemas[shown.$ref.split('/').at(-1)];
      const { properties, required } = toSchema(reply(), 'output');
      expect([name, Object.keys(schema.properties), schema.required]).toEqual([
        ...[name, Object.keys(properties ?? {}), required],
      ]);
    }
  });

  it('says no more and no less than generators of clients understand', () => {
    const text = read('openapi.json');
    const { components, paths, servers } = JSON.parse(text);
    expect(text).not.toContain('"items": false');
    expect(servers).toEqual([expect.objectContaining({ url: '/' })]);
    for (const name of ['Topic', 'TopicsPage', 'PageLink', 'CreateTopicBody', 'UpdateMacroBody', 'CreateReportBody'])
      expect(components.schemas).toHaveProperty(name);
    const bounds = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
    expect(components.parameters).toMatchObject({ page: { schema: bounds }, per_page: { schema: bounds } });
    const query = new Map(paths['/api/v2/topics'].get.parameters.map((one: { name?: string }) => [one.name, one]));
    expect(query.get('sort_direction')).toMatchObject({ schema: { enum: ['asc', 'desc'] } });
    const parameterOf = (path: string) => paths[path].get.parameters[0].schema;
    expect(parameterOf('/api/v2/insights3/cases/{case_key}')).toEqual({ type: 'string' });
    expect(parameterOf('/api/v2/channels/{channel_id}')).toMatchObject({ minimum: 0 });
    expect(paths['/api/v2/topics'].get.responses[304].headers).toHaveProperty('Content-Language');
    for (const path of ['/health', '/openapi.json'])
      for (const status of [200, 304]) expect(paths[path].get.responses[status].headers).toHaveProperty('ETag');
    expect(query.get('in_support_center')).toEqual({
      ...{ name: 'in_support_center', in: 'query' },
      schema: { type: 'boolean' },
    });
  });

  it('refers to nothing that is not there', () => {
    const document = JSON.parse(read('openapi.json'));
    for (const [, path = ''] of read('openapi.json').matchAll(/"\$ref": "#\/([^"]*)"/g))
      expect(path.split('/').reduce((node, key) => node?.[key], document)).toBeDefined();
  });
});
