import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { zipSync } from 'fflate';
import { type Brought, CONTACT_TIME, type ContactCase, PROPOSED, SILENT } from '../support/first-contact.ts';
import { startBucketService } from '../support/service/bucket-service.ts';
import { itInProcess as it } from '../support/service/service.ts';

const ROUNDS = 3; // of questions, at most

/** A file as it is sent: a folder as an archive of its files. */
function sentFile(path: string): { readonly name: string; readonly bytes: Uint8Array } {
  if (!statSync(path).isDirectory()) return { name: basename(path), bytes: readFileSync(path) };
  const files = readdirSync(path).map((name) => [name, new Uint8Array(readFileSync(join(path, name)))] as const);
  return { name: `${basename(path)}.zip`, bytes: zipSync(Object.fromEntries(files)) };
}

/** The numbers of a site of its own after files were sent, answered and loaded over HTTP: field → number. */
async function imported({ imports, numbers }: ContactCase): Promise<unknown> {
  const { service, bring, correct, answer, step } = await startBucketService();
  service.now.at = Date.parse('2029-01-01T00:00:00Z'); // after all that the files tell
  let source: string | undefined;
  for (const one of imports) {
    const loaded = await load(one);
    ({ source } = loaded);
    expect([loaded.state, loaded.problem, loaded.result?.rejected]).toEqual(['loaded', null, 0]);
  }
  const fields = Object.keys(numbers);
  const { body } = await service.ask('POST', '/api/v2/insights3/reports', { body: { fields, time: CONTACT_TIME } });
  const cells: unknown[] = body.data[0].slice(-fields.length);
  return Object.fromEntries(fields.map((field, at) => [field, cells[at]]));

  async function load({ path, format, zone, isComplete }: Brought) {
    const { name, bytes } = sentFile(path);
    const sent = await bring(bytes, name);
    const said = {
      ...(format && { format }),
      ...(zone && { zone }),
      ...(isComplete && { complete: true, source }),
    };
    let file = Object.keys(said).length === 0 ? sent : await correct(sent.id, said);
    for (let round = 0; file.questions.length > 0 && round < ROUNDS; round += 1) {
      const proposals = file.questions.map(({ id, proposed }: { id: string; proposed: unknown }) => [id, proposed]);
      file = await answer(sent.id, Object.fromEntries(proposals));
    }
    return step(sent.id, 'load');
  }
}

describe('a small file that was once read wrongly', () => {
  it.each(SILENT)('has the right numbers over HTTP: $name', async (one) => {
    expect(await imported(one)).toEqual(one.numbers);
  });
});

describe('a file whose proposals were once wrong or refused', () => {
  it.each(PROPOSED)('has the right numbers over HTTP with all of them taken: $name', async (one) => {
    expect(await imported(one)).toEqual(one.numbers);
  });
});
