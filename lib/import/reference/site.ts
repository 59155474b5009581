import { audited } from '../../access/audit.ts';
import { NEW_SITE, parseSite, type Site, unchangedSite } from '../../access/sites.ts';
import { keys } from '../../store/keys.ts';
import { transactOnce } from '../../store/once.ts';
import { replan } from '../../store/replan.ts';
import type { SiteRecord } from '../records/reference-record.ts';
import { type ReferenceTarget, siteAccess } from './access.ts';
import { toMillis } from './record-line.ts';

/** Changes the settings of a site that a record has. Returns the reason if the record is refused. */
export function importSite(target: ReferenceTarget, record: SiteRecord): Promise<string | undefined> {
  return replan(() => importOnce(target, record));
}

async function importOnce(
  { table, site, now, access }: ReferenceTarget,
  record: SiteRecord,
): Promise<string | undefined> {
  const item = await table.get(keys.site(site));
  if (item === undefined) return `there is no site ${site}`;
  const stamp = record.updated_at === undefined ? now : toMillis(record.updated_at);
  if (typeof item.updated_at === 'number' && stamp < item.updated_at) return undefined;
  if (record.locales?.length === 0) return 'locales: a site has at least one';
  const before = parseSite(item);
  const after = { ...settings(before, record), version: (before.version ?? 0) + 1 };
  const write = { put: { ...item, ...after, updated_at: stamp }, when: unchangedSite(before) };
  if (access === undefined) {
    await table.put(write.put, write.when);
    return undefined;
  }
  const change = siteAccess(before, after);
  if (change === undefined) return undefined;
  const reason = await access.decide(change);
  if (reason === undefined) await transactOnce(table, [write], audited(site, access.entryOf(change)));
  return reason && `type: ${reason}`;
}

/** Returns the settings after a record. Null resets a setting; the default locale is always among the enabled ones. */
function settings(before: Site, record: SiteRecord): Site {
  const { name, locales, default_locale, time_zone, week_start, rating } = record;
  const enabled = chosen(locales, before.locales, NEW_SITE.locales);
  const usual = enabled.includes(before.defaultLocale) ? before.defaultLocale : enabled[0];
  const defaultLocale = default_locale ?? usual ?? NEW_SITE.defaultLocale;
  return {
    ...before,
    title: chosen(name, before.title, before.name),
    locales: [...new Set([...enabled, defaultLocale])],
    defaultLocale,
    timeZone: chosen(time_zone, before.timeZone, NEW_SITE.timeZone),
    weekStart: chosen(week_start, before.weekStart, NEW_SITE.weekStart),
    rating: chosen(rating, before.rating, NEW_SITE.rating),
  };
}

function chosen<T>(given: T | null | undefined, before: T, usual: T): T {
  return given === undefined ? before : (given ?? usual);
}
