import type { FileHandle } from 'node:fs/promises';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Opens a temporary file without a name, so that nothing is left if the process dies. Creates `folder` if it is absent.
 */
export async function openUnlinkedFile(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true });
  const own = await mkdtemp(join(folder, 'support-import-'));
  const file = await open(join(own, 'data'), 'w+');
  await rm(own, { recursive: true });
  return file;
}
