import type { SlaPolicyRecord } from '../../lib/import/records/reference-record.ts';
import type { SlaMetric } from '../../lib/insights/promises/sla-policies.ts';
import { CALENDAR_DAYS } from '../../lib/vocabulary.ts';
import type { DemoRecord } from './members.ts';

const HOUR = 3_600; // s
const DAY = 24 * HOUR;
const OFFICE = CALENDAR_DAYS.slice(0, 5).map((day) => [day, [['09:00', '18:00']]]);

/** The demo site's working hours, and the response times it promises. */
export const DEMO_PROMISES: readonly DemoRecord[] = [
  {
    type: 'calendar',
    id: 1,
    name: 'Office',
    time_zone: 'America/New_York',
    default: true,
    hours: Object.fromEntries(OFFICE),
  },
  policy(1, 'Northwind Cycles', { first_response: HOUR, reply: 1.5 * HOUR, resolution: DAY }, [
    [['Include', 'Companies', [{ id: '1' }]]],
  ]),
  policy(2, 'Everybody', { first_response: 1.25 * HOUR, reply: 2 * HOUR, resolution: 3 * DAY }),
];

/** Replies are promised in working time, resolutions in calendar time. */
function policy(
  id: number,
  name: string,
  seconds: Readonly<Record<SlaMetric, number>>,
  filters: SlaPolicyRecord['filters'] = null,
): DemoRecord {
  const targets = Object.entries(seconds).map(([metric, most]) => ({
    metric,
    seconds: most,
    hours: metric === 'resolution' ? 'calendar' : 'business',
  }));
  return { type: 'sla_policy', id, name, position: id, filters, targets };
}
