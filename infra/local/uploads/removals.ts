import { listSites } from '../../../lib/access/sites.ts';
import { listSources } from '../../../lib/history/sources.ts';
import type { Log } from '../../../lib/log.ts';
import type { Table } from '../../../lib/store/table.ts';
import type { SourceRemoval } from '../../../lib/uploads/source-removal.ts';
import { whyFailed } from '../table/processes.ts';

const TRIES = 3; // as in the cloud

/** What removals of sources need. */
export interface RemovalOptions {
  readonly table: Table;
  readonly log: Log;
  /** Runs a command in a process of its own; returns its exit code, null if it was killed. */
  readonly run: (command: string, args: readonly string[]) => Promise<number | null>;
  readonly isOver: () => boolean; // the service ends, and its processes with it
}

/** Removals of sources, each in a process of its own. */
export interface Removals {
  /** Does a removal; begins again if its process dies. */
  remove(removal: SourceRemoval): Promise<void>;
  /** Goes on with the removals that had begun when an earlier service or its machine died. */
  resume(): Promise<void>;
}

export function createRemovals({ table, log, run, isOver }: RemovalOptions): Removals {
  async function remove(removal: SourceRemoval): Promise<void> {
    const { site, source } = removal;
    for (let tries = 1; !isOver(); tries += 1) {
      const code = await run('remove-source', [JSON.stringify(removal)]);
      if (code === 0 || isOver()) return;
      const failure = { site, source, problem: whyFailed(code) };
      if (tries === TRIES) return log('error', 'source not removed', failure); // until the next start
      log('warn', 'removal of a source begins again', failure);
    }
  }

  return {
    remove,
    async resume() {
      for (const { site } of await listSites(table))
        for (const { name, state } of await listSources({ table, site }))
          if (state === 'removing') await remove({ site: site.name, source: name });
    },
  };
}
