import { gzipSync } from 'node:zlib';
import type { Built } from '../../../lib/console/built.ts';

/** The bytes of gzip that a visitor loads first: the page, its style, its script, and all that the script imports. */
export function firstViewSize({ page, files }: Built): number {
  const loaded = new Set(Object.keys(files).filter((name) => name.startsWith('app-')));
  for (const name of loaded) {
    const body = files[name]?.body ?? '';
    for (const [, imported = ''] of body.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) loaded.add(imported);
  }
  return [page, ...[...loaded].map((name) => files[name]?.body ?? '')].reduce(
    (sum, body) => sum + gzipSync(body).length,
    0,
  );
}
