/** A file on its way into the history, as `GET /api/v2/imports/{id}` tells of it. */
export interface FileImport {
  readonly id: number;
  readonly name: string;
  readonly size: number; // bytes
  readonly by: string;
  readonly state:
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
  readonly upload: UploadForm | null; // where its file is to be sent, while it waits for it
  readonly progress: FileProgress | null;
  readonly format: string | null;
  readonly why: string | null;
  readonly zone: string | null;
  readonly source: string | null;
  readonly mapping: Mapping | null;
  readonly notes: readonly { readonly what: string; readonly why: string; readonly is_sure: boolean }[];
  readonly preview: FilePreview | null;
  readonly check: FileOutcome | null;
  readonly result: FileOutcome | null;
  readonly created_at: string;
  readonly _links: { readonly rejected: { readonly href: string } | null };
}

/** A form by which a file is sent to a place of its own. */
export interface UploadForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>; // before the file
  readonly largest_size: number; // bytes
}

export interface FileProgress {
  readonly step: 'reading' | 'storing' | 'folding';
  readonly share: number | null; // 0 to 1
  readonly events: number;
}

export type FilePreview =
  | { readonly header: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly lines: readonly string[] };

export interface FileOutcome {
  readonly records: Readonly<Record<string, number>>;
  readonly events: number;
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
  readonly story: readonly string[];
}

/** What the columns of a CSV mean (docs/import.md). */
export type Mapping = Readonly<Record<string, unknown>>;

/** Whether something is being done to an import, so that it is worth asking again. */
export const isWorking = ({ state }: FileImport): boolean =>
  state === 'checking' || state === 'loading' || state === 'undoing';
