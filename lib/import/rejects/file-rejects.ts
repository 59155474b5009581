import { packedAround, shownName } from '../formats/input.ts';
import type { ImportFiles } from '../import-files.ts';
import type { Rejected } from '../import-rows.ts';
import { newRejections, type RejectionGroup } from './rejections.ts';
import { openRejects, type Rejects } from './rejects.ts';

/** The rejected lines of all files of an import. */
export interface ImportRejects {
  readonly add: (rejected: Rejected) => void;
  readonly count: () => number; // lines
  readonly groups: () => readonly RejectionGroup[];
  /** Writes the remaining lines; returns the paths of the written files. */
  readonly close: () => Promise<readonly string[]>;
}

/** The path beside which the rejected lines of a file are written: of what the shell opened, the working folder. */
function besideOf(file: string): string {
  if (file === '-') return 'stdin';
  return file.startsWith('/dev/') ? 'pipe' : (packedAround(file) ?? file);
}

/**
 * Collects rejected lines: writes them to a file beside each input file that has any, and says the first of each
 * reason.
 */
export function openImportRejects(files: ImportFiles, dryRun: boolean, say: (line: string) => void): ImportRejects {
  const grouped = newRejections();
  const byFile = new Map<string, Rejects>();

  function rejectsOf(file: string): Rejects {
    let rejects = byFile.get(file);
    if (rejects !== undefined) return rejects;
    const { extension, ...form } = files.rejects(file);
    rejects = openRejects({
      ...form,
      path: dryRun ? undefined : `${besideOf(file)}.rejected.${extension}`,
      report: (line, reason) => {
        const where = `${shownName(file)}:${line}`;
        if (grouped.add(where, reason)) say(`${where}: ${reason}`);
      },
      again: (lines) => files.again(file, lines),
    });
    byFile.set(file, rejects);
    return rejects;
  }

  return {
    add: (rejected) => {
      const { file, line } = files.placeOf(rejected.line);
      rejectsOf(file).add({ ...rejected, line });
    },
    count: () => [...byFile.values()].reduce((sum, rejects) => sum + rejects.count(), 0),
    groups: grouped.groups,
    close: async () => {
      const written = await Promise.all([...byFile.values()].map((rejects) => rejects.close()));
      return written.filter((path) => path !== undefined);
    },
  };
}
