import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { AWS_CALLS } from './client.ts';

/** The operations on a bucket that imports and the warehouse need. */
export interface Objects {
  /** Signs a form for the upload of one object, valid for `within` seconds and up to `largest` bytes. */
  form(key: string, within: number, largest: number): Promise<Form>;
  /** Returns the size and version of an object; undefined if there is none. */
  find(key: string): Promise<{ readonly size: number; readonly version: string } | undefined>;
  /** Downloads an object into a file; false if it is gone or has another version. */
  fetch(key: string, path: string, version: string | undefined): Promise<boolean>;
  /** Uploads a file. */
  keep(key: string, path: string, type: string): Promise<void>;
  /** Returns a text object and its type, of one of more than `most` bytes only the first ones; undefined if there is none. */
  read(key: string, most?: number): Promise<TextObject | undefined>;
  remove(key: string): Promise<void>;
  /** The keys that begin with a prefix. */
  list(prefix: string): Promise<readonly string[]>;
}

interface TextObject {
  readonly type: string;
  readonly text: string;
  readonly isCut: boolean;
}

/** The address of a form, and its fields before the file. */
interface Form {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The bucket; `isEmulated` if it is not AWS, so that it has no host name of its own. */
export interface ObjectsOptions {
  readonly bucket: string;
  readonly isEmulated: boolean;
}

export function openObjects({ bucket: Bucket, isEmulated }: ObjectsOptions): Objects {
  const client = new S3Client({
    forcePathStyle: isEmulated,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    requestHandler: AWS_CALLS,
  });

  return {
    form: (Key, Expires, largest) =>
      createPresignedPost(client, { Bucket, Key, Expires, Conditions: [['content-length-range', 1, largest]] }),
    find: (Key) =>
      orNothing(async () => {
        const { ContentLength = 0, ETag = '' } = await client.send(new HeadObjectCommand({ Bucket, Key }));
        return { size: ContentLength, version: ETag };
      }),
    fetch: async (Key, path, version) => {
      const isFetched = await orNothing(async () => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, IfMatch: version }));
        if (!(Body instanceof Readable)) throw new Error('an object without a stream');
        await pipeline(Body, createWriteStream(path, { mode: 0o600 }));
        return true;
      });
      return isFetched ?? false;
    },
    keep: async (Key, path, ContentType) => {
      const ContentLength = (await stat(path)).size;
      await client.send(
        new PutObjectCommand({ Bucket, Key, ContentType, ContentLength, Body: createReadStream(path) }),
      );
    },
    read: (Key, most = Number.POSITIVE_INFINITY) =>
      orNothing(async () => {
        const Range = most < Number.POSITIVE_INFINITY ? `bytes=0-${most - 1}` : undefined;
        const answer = await client.send(new GetObjectCommand({ Bucket, Key, Range }));
        const { Body, ContentType = '', ContentRange = '' } = answer;
        const size = Number(ContentRange.split('/')[1] ?? 0); // of the whole object
        return { type: ContentType, text: (await Body?.transformToString('utf8')) ?? '', isCut: size > most };
      }),
    remove: async (Key) => void (await client.send(new DeleteObjectCommand({ Bucket, Key }))),
    list: async (Prefix) => {
      const keys: string[] = [];
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix }))
        for (const { Key } of Contents) if (Key !== undefined) keys.push(Key);
      return keys;
    },
  };
}

const ABSENT: readonly string[] = ['NoSuchKey', 'NotFound', 'PreconditionFailed'];

/** The result of the work; undefined if the object does not exist or has another version. */
async function orNothing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof S3ServiceException && ABSENT.includes(error.name)) return undefined;
    throw error;
  }
}
