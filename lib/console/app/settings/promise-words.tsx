import type { JSX } from 'preact';
import type { Names } from '../../model/names.ts';
import { conditionText } from '../../model/names.ts';
import { shownFilters, type Target, type TypedTarget } from '../../model/settings/promise.ts';
import { settingsText } from '../../model/text/settings-text.ts';
import { text } from '../../model/text/text.ts';
import { type Page, useResource } from '../edit/resource.ts';
import { href } from '../location.ts';
import { Notice } from '../ui/ui.tsx';

const words = settingsText.promises;

/** A policy as the API shows it. */
export interface Policy {
  readonly id: number;
  readonly name: string;
  readonly position: number | null;
  readonly filters: unknown;
  readonly targets: readonly Target[];
}

/** For which cases a policy is, in words. */
export function whomText(names: Names, filters: unknown): string {
  const { groups } = shownFilters(filters);
  const shown = groups.map((group) => text.listAnd(group.map((condition) => conditionText(names, condition))));
  return shown.length === 0 ? words.allCases : words.onlyCases(shown.join(words.or));
}

/** A target in words: "First response within 90 minutes of working time, for priorities 8 and 9". */
export function targetText({ metric, hours, priorities, time: { count, unit } }: TypedTarget): string {
  const time = words.time(count, words.units[unit]);
  const sentence = words.sentence(words.metrics[metric] ?? metric, time, hours === 'business');
  return priorities === null ? sentence : sentence + words.forPriorities(text.listAnd(priorities.map(String)));
}

/** Warns of times in working hours on a site that has none. */
export function NeedsHours({ targets }: { readonly targets: readonly Pick<Target, 'hours'>[] }): JSX.Element | null {
  const calendars = useResource<Page<unknown>>('/api/v2/calendars?per_page=1');
  const isMissing = calendars.data?.total_entries === 0;
  if (!isMissing || targets.every(({ hours }) => hours !== 'business')) return null;
  return (
    <Notice>
      {words.needsHours} <a href={href('/settings/hours')}>{words.setHours}</a>
    </Notice>
  );
}
