import { isAhead } from '../ahead.ts';
import type { Table } from '../store/table.ts';
import type { UploadProgress } from './shapes.ts';
import type { UploadTurn } from './turn.ts';
import { finishUpload, putUpload, type Upload } from './upload.ts';

/** Writes the progress of a work. */
export interface Reporter {
  /** Records progress; written at most once a second. */
  readonly report: (progress: UploadProgress) => void;
  /** Writes fields at once. */
  readonly note: (fields: Partial<Upload>) => Promise<void>;
  /** Writes the last fields after all earlier writes, and releases the turn. */
  readonly end: (fields: Partial<Upload>) => Promise<void>;
}

const EVERY = 1_000; // ms

export function newReporter({
  table,
  turn,
  clock,
  upload,
}: {
  readonly table: Table;
  readonly turn: UploadTurn;
  readonly clock: () => number; // epoch ms
  readonly upload: Upload;
}): Reporter {
  let now = upload;
  let since = 0;
  let last: Promise<void> = Promise.resolve();

  function write(fields: Partial<Upload>): Promise<void> {
    since = clock();
    now = { ...now, ...fields, updated_at: since };
    const before = last;
    const upload = now;
    last = before.then(() => putUpload(table, turn, upload));
    return last;
  }

  return {
    report: (progress) => {
      if (clock() < since + EVERY && !isAhead(since, clock())) return;
      write({ progress }).catch(() => undefined); // a lost turn is reported by `keepTurn`
    },
    note: write,
    end: async (fields) => {
      await last.catch(() => undefined);
      now = { ...now, ...fields, updated_at: clock() };
      await finishUpload({ table, clock }, turn, now);
    },
  };
}
