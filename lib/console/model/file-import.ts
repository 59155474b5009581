import type { Answers, Question, ShownProposal } from './questions.ts';

/** The import of a file, as `GET /api/v2/imports/{id}` shows it. */
export interface FileImport {
  readonly id: number;
  readonly name: string;
  readonly size: number; // bytes
  readonly by: string;
  readonly state:
    | 'arriving'
    | 'waiting'
    | 'checking'
    | 'checked'
    | 'loading'
    | 'loaded'
    | 'undoing'
    | 'undone'
    | 'failed'
    | 'interrupted';
  readonly can: readonly ('check' | 'correct' | 'load' | 'undo')[];
  readonly problem: string | null;
  readonly upload: UploadForm | null; // how to send the file, while the import waits for it
  readonly progress: FileProgress | null;
  readonly format: string | null;
  readonly why: string | null;
  readonly zone: string | null;
  readonly source: string | null;
  readonly complete: boolean; // the file has all cases of its source
  readonly proposal: ShownProposal | null; // what a CSV without a mapping was understood as
  readonly questions: readonly Question[]; // what it leaves open; with one nothing can be loaded
  readonly answers: Answers; // those given
  readonly notes: readonly { readonly what: string; readonly why: string; readonly is_sure: boolean }[];
  readonly preview: FilePreview | null;
  readonly check: FileOutcome | null;
  readonly result: FileOutcome | null;
  readonly created_at: string;
  readonly _links: { readonly rejected: { readonly href: string } | null };
}

/** A form that uploads a file to a store of its own, beside the API. */
export interface UploadForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>; // to be sent before the file
  readonly largest_size: number; // bytes
}

interface FileProgress {
  readonly step: 'reading' | 'storing' | 'folding';
  readonly share: number | null; // 0 to 1
  readonly events: number;
}

type FilePreview =
  | { readonly header: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly lines: readonly string[] };

export interface FileOutcome {
  readonly records: Readonly<Record<string, number>>;
  readonly events: number;
  readonly cases: { readonly added: number; readonly changed: number; readonly gone: number | null } | null;
  readonly added: number;
  readonly unchanged: number;
  readonly superseded: number;
  readonly rejected: number;
  readonly rejections: readonly {
    readonly reason: string;
    readonly count: number;
    readonly first: readonly string[];
  }[];
  readonly ignored: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  readonly stories: readonly CaseStory[]; // of a check
  readonly first_at: string | null; // of the events of the file, ISO 8601
  readonly last_at: string | null;
}

/** A case in words, as loading makes it of the file. */
export interface CaseStory {
  readonly case: string;
  readonly events: readonly { readonly at: string; readonly type: string; readonly what: string }[];
}

/** Whether an import is in progress, so that its state will change. */
export const isWorking = ({ state }: FileImport): boolean =>
  state === 'arriving' || state === 'checking' || state === 'loading' || state === 'undoing';

/** Whether most of a table was rejected as an export that is known, so that it may be read as one that nobody described. */
export const mayBeUnknown = ({ state, format, preview, check }: FileImport): boolean =>
  state === 'checked' &&
  format !== 'csv' &&
  preview !== null &&
  'header' in preview &&
  check !== null &&
  check.rejected > check.events;
