import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';

/** A bucket, as far as files of imports need it. */
export interface Objects {
  /** A form by which anybody may put one object there, once it is signed, for so many seconds and up to so many bytes. */
  form(key: string, within: number, largest: number): Promise<Form>;
  /** What lies under a key; undefined: nothing. */
  find(key: string): Promise<{ readonly size: number; readonly version: string } | undefined>;
  /** Brings an object into a file; false where it is not there any more, or not in this version. */
  fetch(key: string, path: string, version: string | undefined): Promise<boolean>;
  /** Puts a file there. */
  keep(key: string, path: string, type: string): Promise<void>;
  /** An object of text with its type; undefined: there is none. */
  read(key: string): Promise<{ readonly type: string; readonly text: string } | undefined>;
  remove(key: string): Promise<void>;
}

/** Where a form goes, and its fields before the file. */
export interface Form {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Which bucket; `isEmulated` where something else stands in for AWS, which has no host name a bucket. */
export interface ObjectsOptions {
  readonly bucket: string;
  readonly isEmulated: boolean;
}

export function openObjects({ bucket: Bucket, isEmulated }: ObjectsOptions): Objects {
  const client = new S3Client({ forcePathStyle: isEmulated, requestChecksumCalculation: 'WHEN_REQUIRED' });

  return {
    form: (Key, Expires, largest) =>
      createPresignedPost(client, { Bucket, Key, Expires, Conditions: [['content-length-range', 1, largest]] }),
    find: (Key) =>
      orNothing(async () => {
        const { ContentLength = 0, ETag = '' } = await client.send(new HeadObjectCommand({ Bucket, Key }));
        return { size: ContentLength, version: ETag };
      }),
    fetch: async (Key, path, version) => {
      const found = await orNothing(async () => {
        const wanted = version === undefined ? {} : { IfMatch: version };
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, ...wanted }));
        if (!(Body instanceof Readable)) throw new Error('an object without a stream');
        await pipeline(Body, createWriteStream(path, { mode: 0o600 }));
        return true;
      });
      return found ?? false;
    },
    keep: async (Key, path, ContentType) => {
      const ContentLength = (await stat(path)).size;
      await client.send(
        new PutObjectCommand({ Bucket, Key, ContentType, ContentLength, Body: createReadStream(path) }),
      );
    },
    read: (Key) =>
      orNothing(async () => {
        const { Body, ContentType = '' } = await client.send(new GetObjectCommand({ Bucket, Key }));
        return { type: ContentType, text: (await Body?.transformToString('utf8')) ?? '' };
      }),
    remove: async (Key) => void (await client.send(new DeleteObjectCommand({ Bucket, Key }))),
  };
}

const ABSENT: readonly string[] = ['NoSuchKey', 'NotFound', 'PreconditionFailed'];

/** The result of the work; undefined where the object is not there, or no longer the one that is meant. */
async function orNothing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof S3ServiceException && ABSENT.includes(error.name)) return undefined;
    throw error;
  }
}
