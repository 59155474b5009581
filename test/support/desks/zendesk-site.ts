import { type LiveSite, startLiveSite } from './live-site.ts';
import { startZendesk, type ZendeskDesk } from './zendesk-desk.ts';

const DAY = 86_400_000;

/** A site, not connected yet, and a help desk with 60 cases of the last 60 days. */
export async function startZendeskSite(): Promise<{ readonly site: LiveSite; readonly desk: ZendeskDesk }> {
  const site = await startLiveSite();
  const desk = await startZendesk({ now: site.now.at });
  desk.add(60, site.now.at - 60 * DAY, site.now.at - DAY);
  return { site, desk };
}
