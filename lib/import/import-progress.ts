import type { ImportFiles } from './import-files.ts';
import type { LoadProgress } from './load.ts';

/** How far an import is. */
export interface ImportProgress {
  readonly step: 'reading' | 'storing' | 'folding';
  readonly done: number; // of `total`, in its unit
  readonly total: number | undefined; // undefined: unknown
  readonly events: number; // read, stored or folded so far
  readonly rows?: number | undefined; // read so far; only of a CSV that is being read
}

/** Returns how far an import of these files is. */
export function importProgress(files: ImportFiles, { read, merged, folding }: LoadProgress): ImportProgress {
  if (folding) return { step: 'folding', ...folding, events: folding.done };
  const rows = files.rows();
  if (merged === 0) {
    return { step: 'reading', done: files.position(), total: files.size, events: read, rows: rows?.read };
  }
  const share = rows ? { done: rows.given, total: rows.read } : { done: merged, total: read };
  return { step: 'storing', ...share, events: merged };
}
