/** The import of a file, as `GET /api/v2/imports/{id}` shows it. */
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
  readonly upload: UploadForm | null; // how to send the file, while the import waits for it
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

/** A form that uploads a file to a store of its own, beside the API. */
export interface UploadForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>; // to be sent before the file
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

/** The meaning of the columns of a CSV (docs/import.md). */
export type Mapping = Readonly<Record<string, unknown>>;

/** Whether an import is in progress, so that its state will change. */
export const isWorking = ({ state }: FileImport): boolean =>
  state === 'checking' || state === 'loading' || state === 'undoing';
