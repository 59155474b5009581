import { caseHistory } from '../../lib/history/case-history.ts';
import type { CaseEvent, HistoryEvent, SessionEvent } from '../../lib/history/event.ts';
import { caseRow, sessionRow } from '../../lib/history/facts.ts';
import type { ReferenceRecord } from '../../lib/history/reference-record.ts';
import { openSegment } from '../../lib/history/segment.ts';
import { encodeSegment } from '../../lib/history/segment-encode.ts';
import { encodeSessions, openSessions } from '../../lib/history/session-segment.ts';
import { planReport, wants } from '../../lib/insights/plan.ts';
import type { Reference } from '../../lib/insights/reference.ts';
import { reportRows } from '../../lib/insights/report.ts';
import { readRequest } from '../../lib/insights/request.ts';
import { mergePartials, startScan } from '../../lib/insights/scan.ts';
import type { Example, Row } from './oracle/example.ts';

/** The rows that the engine gives: through its validation, over two segments of cases and one of sessions, merged. */
export function engineReport({ events, reference, site, body }: Example): readonly Row[] {
  const plan = planReport(readRequest({ ...body }, site), engineReference(reference));
  const cases = [...byKey(events.filter(isCaseEvent), (event) => event.case)];
  const partials = [0, 1].map((turn) => {
    const scan = startScan(plan);
    const rows = cases.filter((_, place) => place % 2 === turn).map(([key, list]) => caseRow(key, caseHistory(list)));
    const segment = openSegment(encodeSegment(rows));
    if (wants(plan, segment.head)) scan.addCases(segment);
    if (turn === 1) {
      const agents = [...byKey(events.filter(isSession), (event) => event.agent)];
      const sessions = openSessions(encodeSessions(agents.map(([agent, list]) => sessionRow(agent, list))));
      if (wants(plan, sessions.head)) scan.addSessions(sessions.rows());
    }
    return scan.result();
  });
  return reportRows(plan, mergePartials(plan, partials));
}

const isSession = (event: HistoryEvent): event is SessionEvent => event.type === 'agent.session';
const isCaseEvent = (event: HistoryEvent): event is CaseEvent => event.type !== 'agent.session';

function byKey<T, K>(list: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of list) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

type Named = 'agent' | 'group' | 'channel' | 'label' | 'macro' | 'company';

/** Reference records as the engine wants them. */
export function engineReference(records: readonly ReferenceRecord[]): Reference {
  const namesOf = (type: Named): ReadonlyMap<number, string> =>
    new Map(records.flatMap((record) => (record.type === type && record.name ? [[record.id, record.name]] : [])));
  return {
    names: {
      agents: namesOf('agent'),
      groups: namesOf('group'),
      channels: namesOf('channel'),
      labels: namesOf('label'),
      macros: namesOf('macro'),
      companies: namesOf('company'),
    },
    agentGroups: new Map(
      records.flatMap((record) => (record.type === 'agent' ? [[record.id, record.groups ?? []]] : [])),
    ),
    customFields: new Map(
      records.flatMap((record) =>
        record.type === 'custom_field' && record.name
          ? [[record.id, { name: record.name, listed: record.values != null }]]
          : [],
      ),
    ),
  };
}
