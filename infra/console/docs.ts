import { CONSOLE_PREFIX } from '../../lib/console/built.ts';
import { escapeHtml } from '../../lib/text.ts';
import {
  type Document,
  type DocumentSchema,
  type Endpoint,
  endpointsOf,
  type Parameter,
  readDocument,
  resolve,
} from './document.ts';

const LONGEST_EXAMPLE = 70; // lines

/** The API reference as HTML, from the OpenAPI document. It works without scripts. */
export function docsPage(parsed: unknown): string {
  const document = readDocument(parsed);
  const endpoints = endpointsOf(document);
  const groups = document.tags.map(({ name }) => ({ name, own: endpoints.filter(({ tags }) => tags.includes(name)) }));
  const contents = groups
    .map(({ name, own }) => `<li><b>${name}</b><ul>${own.map(contentsLine).join('')}</ul></li>`)
    .join('');
  const sections = groups.map(
    ({ name, own }) =>
      `<section><h2>${name}</h2>${own.map((each) => endpointArticle(document, each)).join('')}</section>`,
  );
  const { title, version, description } = document.info;
  return `<div class="docs"><nav aria-label="Endpoints"><a href="${CONSOLE_PREFIX}/console">Console</a><ul>${contents}</ul></nav>
<main><h1>${escapeHtml(title)}: API reference</h1><p>${inline(description)}</p>
<p>Version ${escapeHtml(version)}. Every request carries HTTP Basic credentials. The same as OpenAPI 3.1: <a href="${CONSOLE_PREFIX}/openapi.json">openapi.json</a>.</p>
${definitionTables(endpoints)}${sections.join('\n')}</main></div>`;
}

const contentsLine = ({ operationId, method, summary }: Endpoint): string =>
  `<li><a href="#${operationId}"><code>${method}</code> ${escapeHtml(summary)}</a></li>`;

/** Escapes a text and shows words in backquotes as code. */
const inline = (text: string): string => escapeHtml(text).replace(/`([^`]*)`/g, '<code>$1</code>');

function endpointArticle(document: Document, endpoint: Endpoint): string {
  const { operationId, method, path, summary, description } = endpoint;
  const extension = endpoint['x-extension'] ? ' <span class="tag">extension</span>' : '';
  return `<article id="${operationId}"><h3>${escapeHtml(summary)}${extension}</h3>
<p class="line"><code class="method">${method}</code> <code>${escapeHtml(path)}</code></p>
${description ? `<p>${inline(description)}</p>` : ''}
${parameterTable(document, endpoint)}${bodyTable(document, endpoint)}${requestExamples(document, endpoint)}${answerExample(endpoint)}${failures(document, endpoint)}
</article>`;
}

const table = (caption: string, heads: readonly string[], rows: readonly string[]): string =>
  rows.length === 0
    ? ''
    : `<table><caption>${caption}</caption><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;

const row = (name: string, ...cells: readonly string[]): string =>
  `<tr><th scope="row"><code>${escapeHtml(name)}</code></th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;

const resolveParameter = ({ components }: Document, parameter: Parameter): Parameter =>
  (parameter.$ref === undefined ? parameter : components.parameters[parameter.$ref.split('/').at(-1) ?? '']) ??
  parameter;

function parameterTable(document: Document, { parameters = [] }: Endpoint): string {
  const rows = parameters.map((each) => {
    const { name = '', in: where = '', description, schema, required } = resolveParameter(document, each);
    const meaning = description ?? schema?.description ?? '';
    return row(name, escapeHtml(where) + (required ? ', required' : ''), typeText(document, schema), inline(meaning));
  });
  return table('Parameters', ['Name', 'In', 'Type', 'Meaning'], rows);
}

function bodyTable(document: Document, { requestBody }: Endpoint): string {
  const { properties = {}, required = [] } = resolve(document, requestBody?.content['application/json']?.schema);
  const rows = Object.entries(properties).map(([name, schema]) =>
    row(
      name,
      typeText(document, schema) + (required.includes(name) ? ', required' : ''),
      inline(schema.description ?? ''),
    ),
  );
  return table('Body', ['Field', 'Type', 'Meaning'], rows);
}

/** Describes a schema's type in a few words. */
function typeText(document: Document, reference: DocumentSchema | undefined): string {
  const schema = resolve(document, reference);
  if (schema.enum)
    return schema.enum.length > 12
      ? 'one of the names below'
      : schema.enum.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map((each) => typeText(document, each)))].join(' or ');
  if (schema.type === 'array') return `list of ${typeText(document, schema.items) || 'values'}`;
  const names = [schema.type ?? []].flat().join(' or ');
  return schema.maxLength === undefined ? names : `${names}, at most ${schema.maxLength} characters`;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Examples of the request for a shell, for a browser or Node, and for Python. */
function requestExamples(
  document: Document,
  { method, path, parameters = [], requestBody, security }: Endpoint,
): string {
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.map((each) => resolveParameter(document, each)).find((each) => each.name === name);
    return String(parameter?.example ?? 1);
  });
  const example = requestBody?.content['application/json']?.example;
  const body = example === undefined ? undefined : JSON.stringify(example);
  const open = security.length === 0;
  const curl = `curl${method === 'GET' ? '' : ` -X ${method}`}${open ? '' : ' -u "$LOGIN:$PASSWORD"'} "$BASE_URL${target}"${
    body === undefined ? '' : ` \\\n  -H 'Content-Type: application/json' \\\n  -d '${body.replaceAll("'", "'\\''")}'`
  }`;
  const headers = open ? '' : "\n  headers: { Authorization: 'Basic ' + btoa(login + ':' + password) },";
  const javascript = `const reply = await fetch(baseUrl + '${target}', {\n  method: '${method}',${headers}${
    example === undefined ? '' : `\n  body: JSON.stringify(${json(example).replaceAll('\n', '\n  ')}),`
  }\n});\nconst body = await reply.json();`;
  const python = `reply = requests.request('${method}', base_url + '${target}'${open ? '' : ', auth=(login, password)'}${
    body === undefined ? '' : `,\n    json=json.loads('''${body.replaceAll('\\', '\\\\')}''')`
  })`;
  return [
    code('curl', curl),
    code('JavaScript', method === 'DELETE' ? javascript.replace(/\nconst body.*/, '') : javascript),
    code('Python', python),
  ].join('');
}

const code = (title: string, text: string): string =>
  `<details><summary>${title}</summary><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></details>`;

function answerExample({ responses }: Endpoint): string {
  const [status, answer] = Object.entries(responses).find(([each]) => each.startsWith('2')) ?? [];
  const example = answer?.content?.['application/json']?.example;
  if (example === undefined)
    return `<p class="line">Answers <code>${status}</code>${status === '204' ? ', without a body' : ''}</p>`;
  const lines = json(example).split('\n');
  const text = lines.length > LONGEST_EXAMPLE ? [...lines.slice(0, LONGEST_EXAMPLE), '…'].join('\n') : lines.join('\n');
  return `<p class="line">Answers <code>${status}</code></p>${code('Example of an answer', text)}`;
}

function failures({ components }: Document, { responses }: Endpoint): string {
  const refused = Object.entries(responses).filter(([status]) => /^[345]/.test(status));
  const rows = refused.map(([status, { $ref, description }]) =>
    row(status, inline(description ?? components.responses[$ref?.split('/').at(-1) ?? '']?.description ?? '')),
  );
  return `<details><summary>What it refuses</summary>${table('Failures', ['Status', 'When'], rows)}</details>`;
}

/** Tables of all that a report can request, with units and meanings, from the example of `showDefinitions`. */
function definitionTables(endpoints: readonly Endpoint[]): string {
  const definitions = endpoints.find(({ operationId }) => operationId === 'showDefinitions')?.responses['200'];
  const example = definitions?.content?.['application/json']?.example;
  if (typeof example !== 'object' || example === null) return '';
  const titles = [
    ['fields', 'Data fields of reports'],
    ['statistics', 'Statistics of durations'],
    ['dimensions', 'Dimensions'],
    ['filter_objects', 'Objects of filters'],
  ] as const;
  const lists: Readonly<Record<string, unknown>> = { ...example };
  const tables = titles.map(([key, title]) => {
    const list: unknown = lists[key];
    const rows = (Array.isArray(list) ? list : []).map(({ name, unit = '', meaning }: Record<string, string>) =>
      row(name ?? '', escapeHtml(unit), inline(meaning ?? '')),
    );
    return table(title, ['Name', 'Unit', 'Meaning'], rows);
  });
  return `<section id="definitions"><h2>What reports can ask for</h2>${tables.join('')}</section>`;
}
