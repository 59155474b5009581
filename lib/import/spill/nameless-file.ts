import type { FileHandle } from 'node:fs/promises';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Opens a file that has no name: whatever happens to the process, nothing of it stays behind. `folder` is made where absent. */
export async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true });
  const own = await mkdtemp(join(folder, 'support-import-'));
  const file = await open(join(own, 'data'), 'w+');
  await rm(own, { recursive: true });
  return file;
}
