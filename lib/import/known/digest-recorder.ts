import { certain } from '../../certain.ts';
import { type Instant, isMark } from '../../history/cases/event.ts';
import { caseSubject, type Subject } from '../../history/cases/subject.ts';
import type { FileEvent } from '../../history/incoming.ts';
import type { HistoryContext } from '../../history/storage/history-context.ts';
import type { WholeCases } from '../formats/row.ts';
import { type Digest, gatherCases, type LastCasesSlot } from './known-cases.ts';
import { beginStoredCases, readStoredCases, saveStoredCases } from './known-store.ts';

/** Counts of cases with the same rows as in the last import, which were not read again. */
export interface UnchangedCounts {
  readonly cases: number;
  readonly types: Readonly<Record<string, number>>; // their events by type; all are unchanged
}

/** Collects the digests of an import's cases, for the next import. */
export interface DigestRecorder {
  /** Call it before the import writes; `moment` is the last part of its versions. */
  begin(moment: Instant): Promise<void>;
  /** Takes the digests of cases that will be merged, and counts and returns the cases that are known. */
  see(batch: Pick<WholeCases, 'digests' | 'known'>): readonly Subject[];
  /**
   * Keeps the digests of a merged group, except those of `otherwise`: there the ledger does not hold what the rows say.
   */
  keep(group: ReadonlyMap<Subject, readonly FileEvent[]>, otherwise: ReadonlySet<Subject>): void;
  /** Takes when the last case of the file changed. */
  date(at: Instant): void;
  counts(): UnchangedCounts;
  save(): Promise<void>;
}

interface RememberOptions {
  readonly source: string;
  readonly asOf: Instant | null; // time of the export
  readonly salt: string; // settings of the site that decide which events rows become
}

/** Reads the known cases of a source into `holder`, for the reader of the rows. */
export async function openDigestRecorder(
  context: HistoryContext,
  holder: LastCasesSlot,
  { source, asOf, salt }: RememberOptions,
): Promise<DigestRecorder> {
  const before = await readStoredCases(context, source, asOf);
  holder.cases = before.cases;
  holder.exported = asOf === null ? before.exported : null;
  holder.salt = salt;
  const gathered = gatherCases(before.shapes);
  const waiting = new Map<Subject, Digest>();
  const types: Record<string, number> = {};
  let cases = 0;
  let moment: Instant = 0;
  let exported = asOf;

  return {
    begin: (at) => {
      moment = at;
      return beginStoredCases(context, source, at);
    },
    see({ digests = [], known: lastCases = [] }) {
      for (const one of digests) waiting.set(caseSubject(one.key), one);
      return lastCases.map((one) => {
        gathered.addAgain(one, one.shape);
        cases += 1;
        for (const [type, count] of Object.entries(certain(gathered.shapes[one.shape])))
          types[type] = (types[type] ?? 0) + count;
        return caseSubject(one.key);
      });
    },
    keep(group, otherwise) {
      for (const [subject, list] of group) {
        const digest = waiting.get(subject);
        waiting.delete(subject);
        if (digest !== undefined && !otherwise.has(subject)) gathered.add(digest, typesOf(list));
      }
    },
    date: (at) => {
      if (asOf === null) exported = at;
    },
    counts: () => ({ cases, types }),
    save: () => saveStoredCases(context, source, { exported, cases: gathered.pack(), shapes: gathered.shapes }, moment),
  };
}

const typesOf = (list: readonly FileEvent[]): string[] =>
  list.flatMap(({ event }) => (isMark(event) ? [] : [event.type]));
