import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { noDataOn } from '../model/fields.ts';
import type { Fresh } from '../model/freshness.ts';
import { oneRange, type Report, rangesText } from '../model/report/report.ts';
import { text } from '../model/text/text.ts';
import { useApp, useDisplay, useSiteClock } from './context.tsx';

interface CoveredProps {
  readonly reports: readonly Report[];
  readonly at: number | undefined; // epoch ms of the moment that the numbers are of
  readonly fields: readonly string[]; // that the page shows
}

/**
 * The dates that numbers are of, those that they are compared with, the zone, the site, when they were computed, up to
 * when the changes at the help desk are in, and what the history does not tell of them.
 */
export function Covered({ reports, at, fields }: CoveredProps): JSX.Element {
  return <CoveredLine reports={reports} at={at} fields={fields} more={useFreshness(at)} />;
}

/** The same without the help desk. */
export function CoveredLine({ reports, at, fields, more }: CoveredProps & { readonly more?: string }): JSX.Element {
  const { definitions, format } = useDisplay();
  const clock = useSiteClock();
  const site = definitions?.site;
  const report = oneRange(reports);
  const parts = [
    report ? rangesText(report, format) : reports.length > 0 && text.boards.ownDates,
    report?.zone ?? site?.time_zone,
    site?.title,
    at && site && text.boards.asOf(format.window(clock(new Date(at).toISOString()), 'hour')),
    more,
    ...noDataOn(definitions, fields),
  ];
  return <p class="quiet covered">{parts.filter(Boolean).join(' · ')}</p>;
}

const EVERY = 60_000; // ms between two looks

/** Up to when the changes at the help desk are in, in words; nothing while that is not known. */
function useFreshness(at: number | undefined): string {
  const { api, format } = useApp();
  const clock = useSiteClock();
  const [said, setSaid] = useState('');
  const look = async (): Promise<void> => {
    const { freshnessText } = await import('../model/freshness.ts');
    const { data } = await api.ask<Fresh>('/api/v2/freshness');
    const time = (local: string): string => format.tick(local, 'hour');
    setSaid(freshnessText(data, { clock, time, moment: format.moment, now: new Date().toISOString() }));
  };
  useEffect(() => {
    const begin = (): void => void look().catch(() => setSaid(''));
    begin();
    const timer = setInterval(begin, EVERY);
    return () => clearInterval(timer);
  }, [at]);
  return said;
}
