/** Sends and signs as Node programs of the original do, with `request` 2.88.2: run-request.js MODULES URL, then the four values. */
import { createRequire } from 'node:module';

const [modules, url, consumer_key, consumer_secret, token, token_secret] = process.argv.slice(2);
const request = createRequire(`${modules}/`)('request');
const signature = { consumer_key, consumer_secret, token, token_secret };

/** A body of null goes out as the text `null`, with GET and DELETE too, as tstachl/desk.js does. */
const send = (method, path, body = null, { oauth = {}, ...more } = {}) =>
  new Promise((resolve, reject) => {
    const how = { json: true, body, oauth: { ...signature, ...oauth }, ...more };
    request({ url: `${url}/api/v2/${path}`, method, ...how }, (error, response, found) =>
      error ? reject(error) : resolve({ status: response.statusCode, body: found }),
    );
  });

function expect(what, found, wanted) {
  const [is, should] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (is !== should) throw new Error(`${what}: ${is} instead of ${should}`);
  console.log(`held: ${what}`);
}

/** What tstachl/desk.js does in its tests of articles, labels, companies and macros. */
async function deskJs() {
  const topic = (await send('GET', 'topics')).body._embedded.entries[0]._links.self;
  const texts = { subject: 'Some Subject', body: 'Some Body' };
  const article = await send('POST', 'articles', { ...texts, _links: { topic } });
  expect('an article is made', [article.status, article.body._links.self.class], [201, 'article']);
  const changed = await send('PATCH', `articles/${article.body.id}`, { subject: 'Some other Subject' });
  expect('an article is changed', changed.body.subject, 'Some other Subject');
  expect('an article is deleted', (await send('DELETE', `articles/${article.body.id}`)).status, 204);
  const label = await send('POST', 'labels', { name: 'MyLabel', description: 'A Test Label', types: ['case'] });
  expect('a label is made', [label.body.name, label.body.description], ['MyLabel', 'A Test Label']);
  const renamed = await send('PATCH', `labels/${label.body.id}`, { name: 'MyNewLabel' });
  expect('a label is renamed', renamed.body.name, 'MyNewLabel');
  expect('a label is deleted', (await send('DELETE', `labels/${label.body.id}`)).status, 204);
  const company = await send('POST', 'companies', { name: 'Some Company Inc.' });
  const other = await send('PATCH', `companies/${company.body.id}`, { name: 'Some Other Company Inc.' });
  expect('a company is renamed', other.body.name, 'Some Other Company Inc.');
  const macro = await send('POST', 'macros', { name: 'Assign to Engineering', description: "It's raining fire!" });
  expect('a macro is made', macro.body._links.self.class, 'macro');
  expect('a macro is deleted', (await send('DELETE', `macros/${macro.body.id}`)).status, 204);
}

/** What erichoonpark/desk.comimporttool does. */
async function importTool() {
  const data = { type: 'string' };
  const field = await send('POST', 'custom_fields', { name: 'account', label: 'Account', type: 'company', data });
  expect('a custom field is made', [field.status, field.body.label], [201, 'Account']);
  const custom_fields = { account: 'A-17' };
  const company = await send('POST', 'companies', { name: 'Imported', domains: ['some.example'], custom_fields });
  expect('a company has it', company.body.custom_fields, custom_fields);
  const found = await send('GET', 'companies/search', null, { qs: { q: 'account:A-17' } });
  const ids = found.body._embedded.entries.map(({ id }) => id);
  expect('a company is found by it', ids, [company.body.id]);
}

/** Who signs, in each way that the library knows. */
async function signs() {
  expect('who signs', (await send('GET', 'users/current')).body.login, 'administrator@demo.example');
  const hashed = await send('POST', 'labels', { name: 'Hashed' }, { oauth: { body_hash: true } });
  expect('the hash of the body is signed', hashed.status, 201);
  const inQuery = await send('GET', 'topics', null, { qs: { per_page: 2 }, oauth: { transport_method: 'query' } });
  expect('the signature is in the query', inQuery.body._links.self.href, '/api/v2/topics?page=1&per_page=2');
  const plain = await send('GET', 'topics', null, { oauth: { signature_method: 'PLAINTEXT' } });
  expect('the signature is plain text', plain.status, 200);
}

await deskJs();
await importTool();
await signs();
