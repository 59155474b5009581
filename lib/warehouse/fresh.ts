import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { Failure } from '../errors.ts';
import type { Subject } from '../history/cases/subject.ts';
import { readManifest, readManifestItem } from '../history/storage/commit.ts';
import { readTail } from '../history/storage/tail.ts';
import type { FreshFiles } from '../insights/engine/engine.ts';
import { exportContext, referenceOf } from './export-site.ts';
import { listedPath, manifestPath, parseListed, parseManifest, type SiteManifest } from './manifest.ts';
import type { WarehousePlace } from './place.ts';
import { factsBytes } from './read-bytes.ts';
import { digestOf } from './site-writer.ts';

/** What fresh files are made with. */
export interface FreshTools {
  readonly place: () => Promise<WarehousePlace>;
  /** Begins an export of what the reports of the site read, or has it begun; `state` is equal for what needs one export alone. */
  readonly startExport: (context: Context, state: string) => Promise<void>;
}

const MOST = 400_000; // facts that an export before a query may write
const LATER = 60; // s
const LOOKS = { first: 250, longest: 1_000 }; // ms between two looks at an export
const FOR_QUERY = 12_000; // ms of a request that are left to the query

/**
 * The files of a site with all events of this moment, and verdicts on promises by the policies of now where they are
 * counted: those of its last export, or of one that is begun now and waited for. Throws the 503 `unavailable` where they
 * lack more than can be written before a query.
 */
export async function freshFiles(
  context: Context,
  areJudged: boolean,
  { place: open, startExport }: FreshTools,
): Promise<FreshFiles> {
  const { site, clock, deadline, log } = context;
  const place = await open();
  const readListed = async () => parseListed(await place.read(listedPath(site.name)));
  try {
    const asked = await momentOf(context);
    const { digest: reference, promises } = await referenceOf(exportContext(context, site));
    const found = async (version: number): Promise<FreshFiles | undefined> => {
      const listed = await readListed();
      if (listed?.reference !== reference || listed.version < version) return undefined;
      if (areJudged && listed.promises !== promises) return undefined;
      const manifest = parseManifest(await place.read(manifestPath(site.name)));
      return manifest && filesOf(manifest);
    };
    let version = asked.waiting.size === 0 ? asked.version : undefined; // with which a history has all that was asked for
    const before = version === undefined ? undefined : await found(version);
    if (before !== undefined) return before;
    const listed = await readListed();
    const written = areJudged && listed?.promises !== promises ? 0 : (listed?.facts ?? 0);
    const { segments } = await readManifest(context.table, site.name);
    const facts = segments.reduce((sum, each) => sum + each.facts, 0);
    const behind = Math.abs(facts - written) + asked.waiting.size;
    log('info', 'engine', { site: site.name, parts_behind: behind });
    await startExport(context, digestOf([asked.version, [...asked.waiting], reference, promises]));
    for (let wait = LOOKS.first; behind <= MOST && clock() + wait < deadline - FOR_QUERY; ) {
      await sleep(wait);
      version ??= await versionWith(context, asked);
      const after = version === undefined ? undefined : await found(version);
      if (after !== undefined) return after;
      wait = Math.min(LOOKS.longest, 1.5 * wait);
    }
    throw notFresh();
  } finally {
    await place.close();
  }
}

/** What a history has: all commits up to a version, and live events of some subjects that no commit has. */
interface Moment {
  readonly version: number;
  readonly waiting: ReadonlyMap<Subject, string>; // with the token of what waits
}

/** The tail is read first: what a commit takes out of it meanwhile is in the version. */
async function momentOf(context: Context): Promise<Moment> {
  const { pending } = await readTail(context);
  const { version } = await readManifestItem(context.table, context.site.name);
  return { version, waiting: new Map(pending.map(({ subject, token }) => [subject, token])) };
}

/** A version of the history that has all of an earlier moment; undefined while some of that may wait. */
async function versionWith(context: Context, { waiting }: Moment): Promise<number | undefined> {
  const now = await momentOf(context);
  return [...waiting.keys()].some((subject) => now.waiting.has(subject)) ? undefined : now.version;
}

const notFresh = (): Failure =>
  new Failure('unavailable', {
    message: 'The newest events are being written to the warehouse, which counts this report.',
    headers: { 'Retry-After': String(LATER) },
  });

const filesOf = ({ state, files }: SiteManifest): FreshFiles => ({ state, bytes: (reads) => factsBytes(files, reads) });
