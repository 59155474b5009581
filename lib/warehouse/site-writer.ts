import { hash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ColumnValues, type FileRows, sectionOf, textWithWholes } from './columns.ts';
import { begunPath, FILES_FORMAT, type SiteManifest, type WarehouseFile } from './manifest.ts';
import { fileDigest, writeSections } from './parquet-file.ts';
import type { WarehousePlace } from './place.ts';
import { TABLES, type WarehouseTable } from './tables.ts';

/** A file that was made on this machine; its digest is that of its bytes. */
interface MadeFile {
  readonly path: string;
  readonly rows: number;
}

/** Adds the rows of a month, or a file of them, to a part. */
export type AddRows = (table: WarehouseTable, month: string, rows: FileRows | MadeFile) => Promise<void>;

interface SiteWriter {
  begin(): void; // forgets the parts of a history that has changed meanwhile; their files need not be written again
  /** Writes the files of a part, unless they are there in this state. */
  part(name: string, state: string, write: (add: AddRows) => Promise<void>): Promise<void>;
  /** Keeps a part as the last export has it. */
  keep(name: string): void;
  single(table: WarehouseTable, values: ColumnValues): Promise<void>;
  manifest(now: number, state: string): SiteManifest;
  /** Takes away what the next export would go on from. */
  end(): Promise<void>;
  written(): readonly WarehouseFile[];
}

interface WriterOptions {
  readonly place: WarehousePlace;
  readonly scratch: string;
  readonly site: string;
  readonly before: SiteManifest | undefined;
  readonly begun: SiteManifest | undefined; // by an export that was killed
}

type Parts = Pick<SiteManifest, 'parts' | 'files'>;

/** The files of a part, by name. */
const filesOf = ({ files }: Parts, part: string): SiteManifest['files'] =>
  Object.fromEntries(Object.entries(files).filter(([name]) => name.endsWith(`/${part}`)));

/** Writes the files of a site, part by part. */
export function createSiteWriter(options: WriterOptions): SiteWriter {
  const { place, site, before, begun } = options;
  const old = [begun, before].filter((one) => one !== undefined);
  const done = new Map<string, Parts>(); // by state
  let now: Parts = { parts: {}, files: {} };
  let singles: SiteManifest['files'] = {};
  const manifest = (exportedAt: number, state: string): SiteManifest => ({
    ...{ format: FILES_FORMAT, site, exportedAt, state, parts: now.parts },
    files: { ...now.files, ...singles },
  });
  const files = createFileKeeper(options, () => manifest(0, ''));
  return {
    begin: () => {
      now = { parts: {}, files: {} };
    },
    async part(name, state, write) {
      const same = done.get(state) ?? old.find(({ parts }) => parts[name] === state);
      const own: Record<string, WarehouseFile> = same === undefined ? {} : { ...filesOf(same, name) };
      if (same === undefined)
        await write(async (table, month, rows) => {
          own[`${table}/${month}/${name}`] = await ('sections' in rows
            ? files.rows(table, month, rows)
            : files.made(table, month, rows));
        });
      now = { parts: { ...now.parts, [name]: state }, files: { ...now.files, ...own } };
      if (same !== undefined) return;
      done.set(state, now);
      await files.note();
    },
    keep(name) {
      const state = before?.parts[name];
      if (before === undefined || state === undefined) return;
      now = { parts: { ...now.parts, [name]: state }, files: { ...now.files, ...filesOf(before, name) } };
    },
    async single(table, values) {
      const rows = { digest: digestOf(values), sections: [sectionOf(values)] };
      singles = { ...singles, [`${table}/all`]: await files.rows(table, 'all', rows) };
    },
    manifest,
    end: async () => {
      if (begun !== undefined || done.size > 0 || files.written().length > 0) await place.remove(begunPath(site));
    },
    written: files.written,
  };
}

/** Puts files, each once, and notes what is there for the export that follows if this one is killed. */
function createFileKeeper({ place, scratch, site, before, begun }: WriterOptions, manifest: () => SiteManifest) {
  const byPath = (files: Iterable<WarehouseFile>) => new Map([...files].map((file) => [file.path, file]));
  const noted = byPath(Object.values(begun?.files ?? {}));
  const known = new Map([...byPath(Object.values(before?.files ?? {})), ...noted]);
  const written: WarehouseFile[] = [];

  /** Files of a part under way stand there by their paths. */
  const note = (): Promise<void> => {
    const { files, ...rest } = manifest();
    return place.write(begunPath(site), JSON.stringify({ ...rest, files: { ...files, ...Object.fromEntries(noted) } }));
  };

  /** Puts a file into the warehouse, unless a file of the same rows is there. */
  async function kept(
    folder: string,
    { rows, digest }: Pick<WarehouseFile, 'rows' | 'digest'>,
    make: () => Pick<WarehouseFile, 'path' | 'columns'>,
  ): Promise<WarehouseFile> {
    const path = `${folder}/${digest.slice(0, 16)}.parquet`;
    const there = known.get(path);
    if (there?.digest === digest) return there;
    const made = make();
    const file = { path, rows, bytes: (await stat(made.path)).size, digest, columns: made.columns };
    await place.put(path, made.path);
    written.push(file);
    for (const files of [known, noted]) files.set(path, file);
    await note();
    return file;
  }

  return {
    note,
    written: () => written,
    rows(table: WarehouseTable, month: string, { sections, digest }: FileRows): Promise<WarehouseFile> {
      const rows = sections.reduce((sum, section) => sum + section.rows, 0);
      return kept(`${table}/${site}/${month}`, { rows, digest }, () => {
        const path = join(scratch, `${table}-${month}.parquet`);
        const columns = writeSections(path, TABLES[table].columns, sections, site);
        return table === 'facts' ? { path, columns } : { path };
      });
    },
    made: async (table: WarehouseTable, month: string, { path, rows }: MadeFile): Promise<WarehouseFile> =>
      kept(`${table}/${site}/${month}`, { rows, digest: await fileDigest(path) }, () => ({ path })),
  };
}

export const digestOf = (value: unknown): string => hash('sha256', textWithWholes(value), 'hex');
