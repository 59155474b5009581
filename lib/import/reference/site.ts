import { changeAuthority } from '../../access/authority.ts';
import { changedSite, NEW_SITE, type Site } from '../../access/site-fields.ts';
import { readSite } from '../../access/sites.ts';
import { replan } from '../../store/replan.ts';
import type { SiteRecord } from '../records/reference-record.ts';
import { doorOfChange, type ReferenceTarget, siteAccess } from './access.ts';
import { toMillis } from './record-line.ts';
import { reasonIfRefused } from './user.ts';

/** Changes the settings of a site that a record has. Returns the reason if the record is refused. */
export function importSite(target: ReferenceTarget, record: SiteRecord): Promise<string | undefined> {
  return replan(() => importOnce(target, record));
}

async function importOnce(target: ReferenceTarget, record: SiteRecord): Promise<string | undefined> {
  const { table, site, now, access } = target;
  const before = await readSite(table, site);
  if (before === undefined) return `there is no site ${site}`;
  const stamp = record.updated_at === undefined ? now : toMillis(record.updated_at);
  if (before.updated_at !== undefined && stamp < before.updated_at) return undefined;
  if (record.change.locales?.length === 0) return 'locales: a site has at least one';
  const after = { ...settings(before, record), updated_at: stamp };
  const change = siteAccess(before, after);
  if (change === undefined) return undefined;
  const reason =
    (await access.decide(change)) ??
    (await reasonIfRefused(() => changeAuthority(doorOfChange(target, change), { site: { before, after } })));
  return reason && `type: ${reason}`;
}

/** Returns the settings after a record. Null resets a setting; the default locale is always among the enabled ones. */
function settings(before: Site, { change }: SiteRecord): Site {
  const { locales, ...after } = changedSite(before, change);
  const usual = locales.includes(before.defaultLocale) ? before.defaultLocale : locales[0];
  const defaultLocale = change.defaultLocale ?? usual ?? NEW_SITE.defaultLocale;
  return { ...after, locales: [...new Set([...locales, defaultLocale])], defaultLocale };
}
