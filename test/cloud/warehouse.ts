import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { DuckDBInstance } from '@duckdb/node-api';
import { withFolder } from '../support/service/program.ts';
import type { AwsOptions } from './aws.ts';
import type { Checks } from './checks.ts';
import type { Client } from './client.ts';
import { jsonOf } from './command.ts';
import type { Outputs } from './deployment.ts';
import type { Support } from './moving.ts';

/** Where a warehouse is tried out. */
export interface WarehousePlace {
  readonly client: Client;
  readonly site: string;
  readonly outputs: Outputs;
  readonly aws: AwsOptions;
  readonly support: Support;
}

const WITHIN = 300_000; // ms
const MINE = 'by-command';
const CREATES = `SELECT coalesce(sum(value), 0)::BIGINT AS creates FROM report_case_creates
  WHERE size = 'none' AND dimension = ''`;

/** Waits for what imports exported by themselves, exports by the command, and compares both with a report. */
export async function tryWarehouse(checks: Checks, place: WarehousePlace): Promise<void> {
  const { client, site, outputs, aws, support } = place;
  const bucket = outputs.WarehouseBucket ?? '';
  const s3 = new S3Client({ ...aws, forcePathStyle: 'endpoint' in aws });
  const time = { min: '2000-01-01T00:00:00Z', max: '2100-01-01T00:00:00Z', window_size: 'none' };
  const creates = await checks.step('a report counts what was imported', async () => {
    const [[count] = []] = await client.report({ fields: ['case_creates'], time });
    return count;
  });
  await checks.step('an import was exported to the warehouse by itself', async () => {
    const until = Date.now() + WITHIN;
    while (Date.now() < until) {
      if (
        (await isWhole(s3, bucket, site).catch(() => false)) &&
        (await countIn(s3, bucket, '', site).catch(() => -1)) === creates
      )
        return;
      await sleep(500); // an export may be under way, and remove what was just listed
    }
    throw new Error(`the warehouse does not count ${creates} cases`);
  });
  await checks.step('the command exports to a bucket, and again only what has changed', async () => {
    const to = ['warehouse', 'export', '--site', site, '--to', `s3://${bucket}/${MINE}`, '--json'];
    /** Files that the command writes; it waits for the export of an import that may be under way. */
    const written = async (): Promise<number> => jsonOf(await support(to)).sites[0].written;
    if ((await written()) < 5) throw new Error('too few files');
    if ((await countIn(s3, bucket, `${MINE}/`, site)) !== creates) throw new Error('another number of cases');
    if ((await written()) !== 1) throw new Error('files were written again');
  });
  await checks.step('a bucket that is not there is told in one sentence', async () => {
    const absent = `s3://absent-${bucket.slice(-40)}`; // names of buckets have at most 63 characters
    const said = await support(['warehouse', 'export', '--to', absent]).catch(String);
    if (!said.includes(`${absent} is no bucket of this account or region.`)) throw new Error(said);
  });
}

/** Whether a site was exported, and each list of Athena names files that are there. */
async function isWhole(s3: S3Client, bucket: string, site: string): Promise<boolean> {
  const keys = await keysOf(s3, bucket, '');
  const lists = keys.filter((key) => key.startsWith(`athena/facts/site=${site}/`));
  for (const key of lists) {
    const named = (await textOf(s3, bucket, key)).trim().split('\n');
    if (!named.every((address) => keys.includes(address.replace(`s3://${bucket}/`, '')))) return false;
  }
  return lists.length > 0 && keys.includes(`views/${site}.sql`); // `views.sql` is made once a night
}

/** The cases that a warehouse counts, by a site's own views over a copy of its files. */
const countIn = (s3: S3Client, bucket: string, prefix: string, site: string): Promise<number> =>
  withFolder(async (folder) => {
    for (const key of await keysOf(s3, bucket, prefix)) {
      if (prefix === '' && key.startsWith(MINE)) continue;
      const path = join(folder, key.slice(prefix.length));
      await mkdir(dirname(path), { recursive: true });
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      await writeFile(path, (await Body?.transformToByteArray()) ?? '');
    }
    const address = `s3://${bucket}${prefix === '' ? '' : `/${prefix.slice(0, -1)}`}`;
    const views = (await readFile(join(folder, `views/${site}.sql`), 'utf8')).replaceAll(address, folder);
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    try {
      await connection.run(views);
      return Number((await connection.runAndReadAll(CREATES)).getRowObjectsJson()[0]?.creates);
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  });

async function keysOf(s3: S3Client, Bucket: string, Prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket, Prefix }))
    keys.push(...Contents.flatMap(({ Key }) => Key ?? []));
  return keys;
}

async function textOf(s3: S3Client, Bucket: string, Key: string): Promise<string> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
  return (await Body?.transformToString('utf8')) ?? '';
}
