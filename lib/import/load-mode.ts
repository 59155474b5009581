import { type CompactOptions, compact, compactIfNeeded, freshFillOnePass } from '../history/compact.ts';
import { mergeEvents, rehearseMerge } from '../history/merge.ts';
import { readManifest } from '../history/storage/commit.ts';
import { announceWriter, type Presence } from '../history/storage/draft.ts';
import type { HistoryContext } from '../history/storage/history-context.ts';
import type { Missing } from './complete.ts';
import type { Group } from './event-groups.ts';
import type { DigestRecorder } from './known/digest-recorder.ts';
import type { OriginAssigner } from './origin-assigner.ts';

/** What a load does with what it finds: it stores it, or only finds out what storing it would change. */
export interface LoadMode {
  readonly merge: typeof mergeEvents;
  /** Yields the same groups. Compactors wait from the first to the last one. */
  readonly holding: (context: HistoryContext, groups: AsyncIterable<Group>) => AsyncIterable<Group>;
  /** Folds if the fresh segments fill a pass, so that their number stays bounded; true if it did. */
  readonly foldBetween: (context: HistoryContext, begin: () => void) => Promise<boolean>;
  /** Removes the cases of a complete file's source that the file lacks. */
  readonly complete: (assigner: OriginAssigner) => Promise<Completion>;
  readonly remember: (recorder: DigestRecorder | undefined) => Promise<void>;
  readonly fold: (context: HistoryContext, onProgress: CompactOptions['onProgress']) => Promise<void>;
}

/** What a complete file removed beyond its own cases, or would remove. */
export interface Completion {
  readonly removed: number; // events
  readonly missing?: Missing | undefined; // only of a rehearsal
}

/** Stores what a load finds. */
export const storing = (compaction?: CompactOptions): LoadMode => ({
  merge: mergeEvents,
  holding: announced,
  async foldBetween(context, begin) {
    if (!freshFillOnePass(await readManifest(context.table, context.site.name), compaction)) return false;
    begin();
    return compact(context, compaction);
  },
  complete: async (assigner) => ({ removed: await assigner.complete() }),
  remember: async (recorder) => recorder?.save(),
  async fold(context, onProgress) {
    await compactIfNeeded(context, { ...compaction, ...(onProgress && { onProgress }) });
  },
});

/** Writes nothing to history; the table of the context keeps other writes in memory (`rehearse`). */
export const REHEARSING: LoadMode = {
  merge: rehearseMerge,
  holding: (_, groups) => groups,
  foldBetween: async () => false,
  complete: async (assigner) => ({ removed: 0, missing: await assigner.missing() }),
  remember: async () => undefined,
  fold: async () => undefined,
};

async function* announced(context: HistoryContext, groups: AsyncIterable<Group>): AsyncGenerator<Group> {
  let presence: Presence | undefined;
  try {
    for await (const group of groups) {
      presence ??= await announceWriter(context);
      await presence.renew();
      yield group;
    }
  } finally {
    await presence?.end();
  }
}
