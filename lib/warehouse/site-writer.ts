import { hash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ColumnValues, type FileRows, sectionOf, textWithWholes } from './columns.ts';
import { begunPath, FILES_FORMAT, type SiteManifest, type StoredPart, type WarehouseFile } from './manifest.ts';
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
  /** The parts that stand there, of the last export and of one that was killed since. */
  stored(): ReadonlyMap<string, StoredPart>;
  /** Writes the files of a part; of one whose verdicts alone are written the others stay. */
  part(name: string, part: StoredPart, write: (add: AddRows) => Promise<void>, verdictsOnly?: boolean): Promise<void>;
  single(table: WarehouseTable, values: ColumnValues): Promise<void>;
  /** The manifest of those parts that are named, and of the files without one. */
  manifest(of: Pick<SiteManifest, 'exportedAt' | 'state' | 'erased'>, parts: Iterable<string>): SiteManifest;
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

type Files = SiteManifest['files'];

/** The files of a part, by name. */
const filesOf = (files: Files, part: string): Files =>
  Object.fromEntries(Object.entries(files).filter(([name]) => name.endsWith(`/${part}`)));

/** Writes the files of a site, part by part. */
export function createSiteWriter(options: WriterOptions): SiteWriter {
  const { place, site, before, begun } = options;
  const parts = new Map<string, StoredPart>();
  const filesBy = new Map<string, Files>();
  for (const one of [before, begun])
    for (const [name, part] of Object.entries(one?.parts ?? {})) {
      parts.set(name, part);
      filesBy.set(name, filesOf(one?.files ?? {}, name));
    }
  const own = new Set(Object.keys(begun?.parts ?? {})); // written since the last export
  let singles: Files = {};
  const manifest: SiteWriter['manifest'] = (of, named) => {
    const all = [...named];
    const files: Files = Object.assign({}, ...all.map((name) => filesBy.get(name)), singles);
    return {
      ...{ format: FILES_FORMAT, site, ...of, files },
      parts: Object.fromEntries([...parts].filter(([name]) => all.includes(name))),
      removed: place.isBucket ? removedFiles(before, { erased: of.erased, files }, of.exportedAt) : {},
    };
  };
  const files = createFileKeeper(options, () => manifest({ exportedAt: 0, state: '', erased: 0 }, own));
  return {
    stored: () => parts,
    async part(name, part, write, verdictsOnly = false) {
      const before = Object.entries(verdictsOnly ? (filesBy.get(name) ?? {}) : {});
      const made = Object.fromEntries(before.filter(([file]) => !file.startsWith('verdicts/')));
      await write(async (table, month, rows) => {
        made[`${table}/${month}/${name}`] = await ('sections' in rows
          ? files.rows(table, month, rows)
          : files.made(table, month, rows));
      });
      parts.set(name, part);
      filesBy.set(name, made);
      own.add(name);
      await files.note();
    },
    async single(table, values) {
      const rows = { digest: digestOf(values), sections: [sectionOf(values)] };
      singles = { ...singles, [`${table}/all`]: await files.rows(table, 'all', rows) };
    },
    manifest,
    end: async () => {
      if (begun !== undefined || files.written().length > 0 || own.size > 0) await place.remove(begunPath(site));
    },
    written: files.written,
  };
}

const READ_MS = 60 * 60_000; // for which replaced files stay, as queries may read them

/** The files of a bucket that stay for queries that read them. None does after an erasure, or if it names people or the site. */
function removedFiles(
  before: SiteManifest | undefined,
  now: Pick<SiteManifest, 'erased' | 'files'>,
  at: number,
): SiteManifest['removed'] {
  if (before === undefined || before.erased !== now.erased) return {};
  const named = new Set(Object.values(now.files).map(({ path }) => path));
  const replaced = Object.values(before.files).map(({ path }) => [path, at] as const);
  const all = [...replaced, ...Object.entries(before.removed)];
  return Object.fromEntries(
    all.filter(([path, since]) => !named.has(path) && !/^(members|sites)\//.test(path) && at < since + READ_MS),
  );
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
        return table === 'facts' || table === 'verdicts' ? { path, columns } : { path };
      });
    },
    made: async (table: WarehouseTable, month: string, { path, rows }: MadeFile): Promise<WarehouseFile> =>
      kept(`${table}/${site}/${month}`, { rows, digest: await fileDigest(path) }, () => ({ path })),
  };
}

export const digestOf = (value: unknown): string => hash('sha256', textWithWholes(value), 'hex');
