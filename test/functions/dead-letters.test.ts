import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../../infra/bundle.ts';
import { NEW_SITE } from '../../lib/access/site-fields.ts';
import { memoize } from '../../lib/memo.ts';
import { startAws } from '../support/service/aws-server.ts';
import { freePort } from '../support/service/free-port.ts';
import { type Lambda, ofQueue, startLambda } from '../support/service/lambda.ts';
import { addSite } from '../support/service/stored-access.ts';
import { freshTable, itOnEngine } from '../support/service/table.ts';

const folder = mkdtempSync(join(process.env.TEST_FOLDER ?? tmpdir(), 'functions-'));
const aws = await startAws();
const NOWHERE = `http://127.0.0.1:${await freePort()}`; // a table that is out of reach
const QUEUE = `${aws.url}/000000000000/Queue`;
const running: Lambda[] = [];
afterAll(() => {
  aws.close();
  for (const lambda of running) lambda.end();
});

async function start(name: string, env: Readonly<Record<string, string>> = {}): Promise<Lambda> {
  const file = join(folder, `${name}.mjs`);
  await bundle(`functions/${name}.ts`, file);
  const lambda = startLambda(file, {
    ...{ AWS_ENDPOINT_URL: aws.url, DYNAMODB_ENDPOINT: NOWHERE, TABLE_NAME: 'none', DEAD_LETTER_URL: QUEUE },
    ...{ STEP_URL: QUEUE, PULL_URL: QUEUE, EXPORT_URL: QUEUE, MAIL_URL: QUEUE },
    ...{ MAIL_FROM: 'reports@acme.example', PUBLIC_URL: 'https://acme.example', WAREHOUSE_BUCKET: 'facts' },
    ...env,
  });
  running.push(lambda);
  return lambda;
}

const withoutTable = memoize((name: string) => start(name));

/** What a line names. */
const names = ({ level, message, site, letter, id, connection, source, mail }: Readonly<Record<string, unknown>>) =>
  JSON.parse(JSON.stringify({ level, message, site, letter, id, connection, source, mail }));

/** The lines of failures since the last look. */
const failing = (lambda: Lambda) =>
  lambda.lines
    .splice(0)
    .filter(({ level }) => level === 'error')
    .map(names);

describe('a function that cannot do its work names site and message', () => {
  const mail = { messageId: 'of-ses', timestamp: '2026-03-01T10:00:00Z', destination: ['ann@acme.example'] };
  const bounced = {
    source: 'aws.ses',
    detail: { mail: { ...mail, tags: { site: ['acme'] } }, bounce: { bounceType: 'Permanent' } },
  };
  const ofSite = (named: object) => ofQueue({ id: 'm-1', body: { site: 'acme', ...named } });
  const failed = { level: 'error', message: 'message failed', site: 'acme', letter: 'm-1' };

  it.each([
    ['load', ofSite({ id: 7 }), { ...failed, id: 7 }],
    ['load', ofSite({ source: 'export', deed: 'd' }), { ...failed, source: 'export' }],
    ['pulls', ofSite({ connection: 2 }), { ...failed, connection: 2 }],
    ['warehouse', ofSite({ because: 'night' }), failed],
    ['deliver', ofSite({ because: 'due' }), failed],
    ['deliver', bounced, { level: 'error', message: 'bounce not noted', site: 'acme', mail: 'of-ses' }],
    ['load', ofQueue({ id: 'm-2', body: 'no JSON' }), { level: 'error', message: 'message failed', letter: 'm-2' }],
  ])('%s', async (name, event, told) => {
    const lambda = await withoutTable(name);
    await expect(lambda.call(event)).rejects.toThrow();
    expect(failing(lambda)).toEqual([told]);
  });

  it('ingest, which has the message delivered again', async () => {
    const lambda = await withoutTable('ingest');
    const reply = await lambda.call(ofQueue({ id: 'm-1', body: { type: 'group', id: 7 }, group: 'g', site: 'acme' }));
    expect(reply).toEqual({ batchItemFailures: [{ itemIdentifier: 'm-1' }] });
    expect(failing(lambda)).toEqual([failed]);
  });
});

itOnEngine('a refused record names its site and the id of its dead letter, as the queue has it', async () => {
  const table = await freshTable('engine');
  for (const name of ['acme', 'usual'])
    await addSite(
      table,
      { ...NEW_SITE, name, title: name, hosts: [`${name}.localhost`] },
      { default: name === 'usual' },
    );
  const at = { DYNAMODB_ENDPOINT: process.env.TEST_ENDPOINT ?? '', TABLE_NAME: table.name };
  const lambda = await start('ingest', at);
  const body = { type: 'case.created', id: 'a1', at: '2026-11-20 09:00', case: 1, channel: 1 };
  const before = aws.sent.length;
  const letters = [
    { id: 'm-1', body, group: 'a', site: 'acme' },
    { id: 'm-2', body, group: 'b' },
    { id: 'm-3', body, group: 'c', site: 'nobody' },
  ];
  expect(await lambda.call(ofQueue(...letters))).toEqual({ batchItemFailures: [] });
  const dead = aws.sent.slice(before);
  const refused = { level: 'warn', message: 'message refused' };
  expect(lambda.lines.filter(({ message }) => message === 'message refused').map(names)).toEqual([
    { ...refused, site: 'acme', letter: dead[0]?.MessageId, id: 'm-1' },
    { ...refused, site: 'usual', letter: dead[1]?.MessageId, id: 'm-2' },
    { ...refused, site: 'nobody', letter: dead[2]?.MessageId, id: 'm-3' },
  ]);
  expect(dead.map(({ MessageAttributes }) => MessageAttributes?.reason?.StringValue)).toEqual([
    expect.stringContaining('has no offset'),
    expect.stringContaining('has no offset'),
    'site: there is no site "nobody"',
  ]);
});
