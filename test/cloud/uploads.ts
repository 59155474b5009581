import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { keys } from '../../lib/store/keys.ts';
import type { Table } from '../../lib/store/table.ts';
import { overHttp } from '../support/service/http-ask.ts';
import type { Checks } from './checks.ts';
import type { Client } from './client.ts';

/** Where uploads are tried out. */
export interface UploadPlace {
  readonly client: Client;
  readonly table: Table;
  readonly site: string;
  readonly stage: string;
  readonly endpoint: string | undefined; // of an emulator, whose functions are processes of this machine
}

interface Import {
  readonly id: number;
  readonly state: string;
  readonly problem: string | null;
  readonly upload: Form | null;
  readonly questions: readonly { readonly id: string }[];
  readonly check: { readonly events: number; readonly rejected: number } | null;
  readonly result: { readonly added: number; readonly unchanged: number; readonly rejected: number } | null;
  readonly _links: { readonly rejected: { readonly href: string } | null };
}

interface Form {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly largest_size: number;
}

const PATH = '/api/v2/imports';
const STILL = 240_000; // ms in which an import changes nothing: it stands still. A killed step's message comes back in 30 s
const ROWS = [
  'Ticket,Created at,Status,Assignee',
  '8001,2031-01-05 10:00:00,Open,Ann',
  '8002,2031-01-05 11:00:00,Open,Bob',
  '8003,some day,Open,Bob',
];
const CASES = 5_000;
const LONG = 'x'.repeat(4_000); // so that a few thousand events are several groups
const GROUPS = 4; // at least

/** A history of several groups: where a step merges one group, its load takes as many steps. */
const longHistory = (): Buffer =>
  Buffer.from(
    Array.from({ length: CASES }, (_, n) =>
      JSON.stringify({
        ...{ type: 'case.created', id: 'a', at: '2032-03-01T09:00:00Z', case: `long-${n}`, channel: 1 },
        custom_fields: { 900: LONG },
      }),
    ).join('\n'),
  );

/** Brings files as a browser does: creates an import, posts the file to the bucket, has it tried, loads it, undoes it. */
export async function tryUploads(checks: Checks, place: UploadPlace): Promise<void> {
  const { client } = place;
  await checks.step('a form takes no more than it says, and nothing else', () => refusals(place));
  const small = await checks.step('a file goes to the bucket by a form, and is tried', () => answered(client));
  if (small === undefined) return;
  await checks.step('it is loaded into reports, and its rejected row comes back', async () => {
    const loaded = await step(client, small.id, 'load');
    expectEqual([loaded.state, loaded.result?.rejected], ['loaded', 1]);
    expectEqual(await creations(client, 2031), 2);
    const { text } = await client.ask('GET', loaded._links.rejected?.href ?? '');
    expectEqual(text.includes('8003,some day,Open,Bob'), true);
  });
  await checks.step('undone, nothing of it is left', async () => {
    expectEqual((await step(client, small.id, 'undo')).state, 'undone');
    expectEqual(await creations(client, 2031), 0);
  });
  await checks.step('loaded again, its source is removed over the API', async () => {
    const { id } = await answered(client);
    await step(client, id, 'load');
    expectEqual(await creations(client, 2031), 2);
    await client.ask('DELETE', `/api/v2/sources/upload-${id}`);
    const isStill = newWatch();
    while ((await creations(client, 2031)) !== 0) {
      if (isStill('')) throw new Error(`still there after ${STILL} ms`);
      await sleep(100);
    }
  });
  await checks.step('a long file is loaded in several steps, one of which is killed', () => inSteps(checks, place));
}

/** Brings the file of tickets, and answers what is asked about it. */
async function answered(client: Client): Promise<Import> {
  const asked = await checked(client, 'tickets.csv', Buffer.from(ROWS.join('\n')));
  expectEqual(
    asked.questions.map(({ id }) => id),
    ['zone'],
  );
  await client.ask('PATCH', `${PATH}/${asked.id}`, { answers: { zone: 'UTC' } });
  const made = await settled(client, asked.id, 'the answer');
  expectEqual([made.state, made.check?.rejected], ['checked', 1]);
  return made;
}

async function refusals({ client }: UploadPlace): Promise<void> {
  const { upload } = await create(client, 'large.csv');
  if (upload === null) throw new Error('no form');
  const bytes = Buffer.from('a,b\n');
  const refused = async (form: Form, body: Buffer): Promise<void> => expectEqual((await send(form, body)) >= 400, true);
  await refused({ ...upload, fields: { ...upload.fields, key: 'files/other/1' } }, bytes);
  await refused(upload, Buffer.alloc(0));
  await refused({ ...upload, fields: { ...upload.fields, 'X-Amz-Signature': '0'.repeat(64) } }, bytes);
}

async function inSteps(checks: Checks, { client, table, site, stage, endpoint }: UploadPlace): Promise<void> {
  const { id, check } = await checked(client, 'long.ndjson.gz', gzipSync(longHistory()));
  expectEqual(check?.events, CASES);
  await client.ask('POST', `${PATH}/${id}/load`);
  const owners = new Set<unknown>();
  let killed = 0;
  const isStill = newWatch();
  let found = await show(client, id);
  while (found.state === 'loading' || found.state === 'interrupted') {
    if (isStill(JSON.stringify([found, ...owners])))
      throw new Error(`still ${found.state}, ${STILL} ms without a change`);
    // The table itself is asked, so that no step passes between two looks.
    for (let look = 0; look < 20; look += 1) {
      const turn = await table.get(keys.uploadTurn(site));
      if (turn?.handed !== true && turn?.owner) owners.add(turn.owner);
      if (owners.size === 2 && killed === 0 && endpoint !== undefined) killed = await killLoaders(endpoint, stage);
      await sleep(10);
    }
    found = await show(client, id);
  }
  expectEqual([found.state, found.problem], ['loaded', null]);
  if (killed === 0) checks.skip('killing a step', 'no process of it was found');
  const { added = 0, unchanged = 0 } = found.result ?? {};
  expectEqual(added + unchanged, CASES);
  expectEqual(await creations(client, 2032), CASES);
  if (owners.size < GROUPS) throw new Error(`only ${owners.size} steps`);
  await step(client, id, 'undo');
  expectEqual(await creations(client, 2032), 0);
}

async function create(client: Client, name: string): Promise<Import> {
  return JSON.parse((await client.ask('POST', `${PATH}?name=${name}`)).text);
}

async function checked(client: Client, name: string, file: Buffer): Promise<Import> {
  const { id, upload } = await create(client, name);
  if (upload === null) throw new Error('no form');
  expectEqual(await send(upload, file), 204);
  return step(client, id, 'check');
}

/** Posts a file by a form, as a browser does; gives the status. */
async function send({ url, fields }: Form, file: Buffer): Promise<number> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(file)]));
  const packed = new Response(form);
  const { origin, host, pathname } = new URL(url);
  const { status } = await overHttp(origin, {
    ...{ method: 'POST', target: pathname, host },
    headers: { 'Content-Type': packed.headers.get('content-type') ?? '' },
    body: Buffer.from(await packed.arrayBuffer()),
  });
  return status;
}

/** Does a step of an import and waits for its end. */
async function step(client: Client, id: number, what: 'check' | 'load' | 'undo'): Promise<Import> {
  await client.ask('POST', `${PATH}/${id}/${what}`);
  return settled(client, id, what);
}

/** Waits until nothing works on an import any more. */
async function settled(client: Client, id: number, what: string): Promise<Import> {
  const isStill = newWatch();
  for (;;) {
    const found = await show(client, id);
    if (!found.state.endsWith('ing')) return found;
    if (isStill(JSON.stringify(found))) throw new Error(`${what} did not end, ${STILL} ms without a change`);
    await sleep(100);
  }
}

/** Tells whether what it is shown has not changed for a long time. */
function newWatch(): (seen: string) => boolean {
  let [last, since] = ['', Date.now()];
  return (seen) => {
    if (seen !== last) [last, since] = [seen, Date.now()];
    return Date.now() - since > STILL;
  };
}

const show = async (client: Client, id: number): Promise<Import> =>
  JSON.parse((await client.ask('GET', `${PATH}/${id}`)).text);

async function creations(client: Client, year: number): Promise<unknown> {
  const time = { min: `${year}-01-01T00:00:00Z`, max: `${year + 1}-01-01T00:00:00Z`, window_size: 'none' };
  return (await client.report({ fields: ['case_creates'], time }))[0]?.[0];
}

/** Kills the processes in which an emulator runs the function `load`; gives how many there were. */
async function killLoaders(endpoint: string, stage: string): Promise<number> {
  let killed = 0;
  for (const pid of (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))) {
    const told = (await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).split('\0');
    const isLoader = told.some((one) => one.startsWith(`AWS_LAMBDA_FUNCTION_NAME=SupportService-${stage}-Load`));
    if (!isLoader || !told.some((one) => one.includes(endpoint.split('://')[1] ?? endpoint))) continue;
    process.kill(Number(pid), 'SIGKILL');
    killed += 1;
  }
  return killed;
}

function expectEqual(found: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`expected ${b}\n     got ${a}`);
}
