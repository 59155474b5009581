import type { JSX } from 'preact';
import { type Report, rangesText } from '../model/report.ts';
import { text } from '../model/text.ts';
import { localIn } from '../model/zone.ts';
import { useApp } from './context.tsx';

interface CoveredProps {
  readonly report: Report | undefined;
  readonly at: number | undefined; // epoch ms of the moment that the numbers are of
}

/** The dates that numbers are of, those that they are compared with, the zone, the site, and when they were computed. */
export function Covered({ report, at }: CoveredProps): JSX.Element {
  const { definitions, format } = useApp();
  const site = definitions?.site;
  const asOf = at === undefined || site === undefined ? undefined : localIn(site.time_zone, new Date(at).toISOString());
  const parts = [
    report && rangesText(report, format),
    report?.zone ?? site?.time_zone,
    site?.title,
    asOf && text.boards.asOf(format.window(asOf, 'hour')),
  ];
  return <p class="quiet covered">{parts.filter(Boolean).join(' · ')}</p>;
}
