/**
 * The definitions of reports written straight over raw events, one cell at a time, slow and plain. It shares no code with
 * the engine beyond types: what it and the engine agree on was worked out twice.
 */
import { createHash } from 'node:crypto';
import type { CaseEvent, SessionEvent } from '../../../lib/history/cases/event.ts';
import type { Reference } from '../../../lib/insights/reference.ts';
import type { ReportRequest } from '../../../lib/insights/request.ts';

type Id = number | string;
type Row = (string | number | null)[];
const FORTNIGHT = 14 * 86_400;

interface Happening {
  readonly what: string;
  readonly second: number;
  readonly place: number; // in the case's order
  readonly agent: number | undefined;
  readonly group: number | undefined;
  readonly label?: number;
  readonly macro?: number;
  readonly to?: number; // s, end of a handled interval
}

interface Case {
  readonly happenings: readonly Happening[];
  readonly created: number | undefined;
  readonly opening: string | undefined; // direction of the first interaction
  readonly agent: number | undefined;
  readonly group: number | undefined;
  readonly channel: number | undefined;
  readonly priority: number | undefined;
  readonly company: number | undefined;
  readonly score: number | undefined;
  readonly labels: readonly number[];
  readonly macros: readonly number[];
  readonly custom: readonly [number, string][];
}

const whole = (at: number): number => Math.floor(at / 1_000_000);

function tell(events: readonly CaseEvent[]): Case {
  const unique = events.filter((event, at) => events.findIndex(({ id }) => id === event.id) === at);
  const sorted = unique.sort((a, b) => (a.at !== b.at ? a.at - b.at : a.id < b.id ? -1 : 1));
  const first = sorted.find((event) => event.type === 'case.created');
  const ordered = [...(first ? [first] : []), ...sorted.filter((event) => event.type !== 'case.created')];
  const now: Record<string, number | undefined> = {};
  let labels: number[] = [];
  const custom = new Map<number, string>();
  const views: [number, number][] = [];
  const happenings: Happening[] = [];
  let status = 'new';
  ordered.forEach((event, place) => {
    const agent = event.automated ? undefined : event.agent;
    const group = event.automated ? undefined : event.group;
    const second = whole(event.at);
    const note = (what: string, more: Partial<Happening> = {}) =>
      happenings.push({ what, second, place, agent, group, ...more });
    const put = (name: string, value: number | null | undefined) => {
      if (value !== undefined) now[name] = value ?? undefined;
    };
    const putCustom = (field: number, value: string | null) =>
      value === null ? custom.delete(field) : custom.set(field, value);
    const putLabels = (after: readonly number[]) => {
      for (const label of after) if (!labels.includes(label)) note('label', { label });
      labels = [...new Set(after)];
    };
    if (event.type === 'case.created') {
      note('created');
      put('channel', event.channel);
      put('priority', event.priority);
      put('company', event.company);
      for (const [field, value] of Object.entries(event.custom_fields ?? {})) putCustom(Number(field), value);
      putLabels(event.labels ?? []);
    }
    if (event.type === 'case.deleted') note('deleted');
    if (event.type === 'case.assigned') {
      put('agent', event.to.agent);
      put('group', event.to.group);
    }
    if (event.type === 'case.priority') put('priority', event.priority);
    if (event.type === 'case.company') put('company', event.company);
    if (event.type === 'csat.rated') put('score', event.score);
    if (event.type === 'case.custom_field') putCustom(event.field, event.value);
    if (event.type === 'case.labels') {
      const kept = (event.set ?? labels).filter((label) => !(event.remove ?? []).includes(label));
      putLabels([...new Set([...kept, ...(event.add ?? [])])]);
    }
    if (event.type === 'case.status') {
      const done = (name: string) => name === 'resolved' || name === 'closed';
      if (done(event.to) && !done(status)) note('resolve');
      if (!done(event.to) && done(status)) note('reopen');
      status = event.to;
    }
    if (event.type === 'case.viewed' && agent !== undefined) {
      const last = views.filter(([who]) => who === agent).at(-1);
      if (last === undefined || second - last[1] >= 60) {
        views.push([agent, second]);
        note('view');
      }
    }
    if (event.type === 'case.handled') note('handle', { second: whole(event.from), to: whole(event.to) });
    if (event.type === 'macro.applied') note('macro', { macro: event.macro });
    if (event.type === 'interaction' && !(event.direction === 'outbound' && event.automated)) note(event.direction);
  });
  return {
    happenings,
    created: happenings.find(({ what }) => what === 'created')?.second,
    opening: happenings.find(({ what }) => what === 'inbound' || what === 'outbound')?.what,
    agent: now.agent,
    group: now.group,
    channel: now.channel,
    priority: now.priority,
    company: now.company,
    score: now.score,
    labels,
    macros: [...new Set(happenings.flatMap(({ macro }) => macro ?? []))],
    custom: [...custom],
  };
}

function keyOf(reference: Reference, field: number, value: string): Id {
  if (!reference.customFields.get(field)?.listed) return field;
  return `${field}:${createHash('sha256').update(Buffer.from(value, 'utf8')).digest('hex').substring(0, 16)}`;
}

/** The members of a dimension that a happening counts for. */
function membersOf(dimension: string, { macros, labels, ...now }: Case, fact: Happening, reference: Reference): Id[] {
  const one = (member: number | undefined): Id[] => (member === undefined ? [] : [member]);
  switch (dimension) {
    case 'action_agent':
      return one(fact.agent);
    case 'action_group':
      return one(fact.group);
    case 'assigned_agent':
      return one(now.agent);
    case 'assigned_group':
      return one(now.group);
    case 'channel':
      return one(now.channel);
    case 'label':
      return fact.what === 'label' ? one(fact.label) : [...labels];
    case 'macro':
      return fact.what === 'macro' ? one(fact.macro) : [...macros];
    default:
      return now.custom.map(([field, value]) => keyOf(reference, field, value));
  }
}

interface Names {
  readonly id: Id;
  readonly name: string;
}

/** What a filter object finds on a case, or on an agent who is online. */
function filterMembers(object: string, now: Case, reference: Reference): Names[] {
  const named = (kind: keyof Reference['names'], ids: readonly (number | undefined)[]): Names[] =>
    ids.flatMap((id) => (id === undefined ? [] : [{ id, name: reference.names[kind].get(id) ?? `${id}` }]));
  const digits = (value: number | undefined): Names[] => (value === undefined ? [] : [{ id: value, name: `${value}` }]);
  switch (object) {
    case 'Channels':
      return named('channels', [now.channel]);
    case 'Groups':
      return named('groups', [now.group]);
    case 'Agents':
      return named('agents', [now.agent]);
    case 'Labels':
      return named('labels', now.labels);
    case 'Macros':
      return named('macros', now.macros);
    case 'Companies':
      return named('companies', [now.company]);
    case 'Priorities':
      return digits(now.priority);
    case 'CSat Score':
      return digits(now.score);
    default:
      return now.custom.map(([field, value]) => {
        const known = reference.customFields.get(field);
        return { id: keyOf(reference, field, value), name: known?.listed ? value : (known?.name ?? `${field}`) };
      });
  }
}

type Find = (object: string) => Names[];

function passes(filters: ReportRequest['filters'], find: Find): boolean {
  if (!filters || filters.length === 0) return true;
  return filters.some((group) =>
    group.every(({ action, object, match, text, caseSensitive, ids }) => {
      const lower = (value: string) => (caseSensitive ? value : value.toLowerCase());
      const wanted = ids.map(({ id }) => `${id}`);
      const found = find(object).some(({ id, name }) => {
        if (wanted.includes(`${id}`)) return true;
        if (match === 'Contains') return text !== '' && lower(name).includes(lower(text));
        return wanted.length === 0 && text !== '' && lower(name) === lower(text);
      });
      return action === 'Include' ? found : !found;
    }),
  );
}

/** Windows found by walking the clock in quarters of an hour, as [start, end, label]. */
export function naiveWindows(time: ReportRequest['time']): [number, number, string | null][] {
  if (time.size === 'none') return [[time.min, time.max, null]];
  if (time.min === time.max) return [];
  const name = 'name' in time.zone ? time.zone.name : 'UTC';
  const shift = 'offset' in time.zone ? time.zone.offset : 0;
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: name,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const read = (second: number): string => clock.format((second + shift) * 1000);
  const boundaries: [number, string][] = [];
  let last = '';
  let lastHour = '';
  const before = { hour: 2, day: 3, week: 16, month: 70 }[time.size]; // days
  for (let second = Math.floor(time.min / 900) * 900 - before * 86_400; second < time.max; second += 900) {
    const text = read(second);
    const utc = Date.parse(`${text.replace(' ', 'T')}Z`) / 1000;
    const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
    if (time.size === 'hour') {
      const hour = `${text.slice(0, 13)} at ${utc - second}`;
      if (hour !== lastHour) boundaries.push([second, text]);
      lastHour = hour;
      continue;
    }
    if (time.size === 'week') day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6 - time.weekStart) % 7));
    if (time.size === 'month') day.setUTCDate(1);
    const date = day.toISOString().slice(0, 10);
    if (date > last) {
      boundaries.push([second, text]);
      last = date;
    }
  }
  const all = boundaries.map(([start, text], at): [number, number, string] => [
    start,
    boundaries[at + 1]?.[0] ?? Number.POSITIVE_INFINITY,
    text,
  ]);
  return all.filter(([, end]) => end > time.min);
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0
    ? null
    : round(
        values.reduce((a, b) => a + b, 0),
        values.length,
      );

function round(over: number, under: number): number {
  const hundredths = (BigInt(over) * 100n * 2n + BigInt(under)) / (2n * BigInt(under));
  return Number(hundredths) / 100;
}

const COUNTS = new Set([
  'case_creates',
  'case_deletes',
  'case_views',
  'inbound_cases',
  'outbound_cases',
  'inbound_interactions',
  'outbound_interactions',
  'case_resolves',
  'resolved_cases',
  'case_reopens',
  'resolved_without_response',
  'macro_applied',
  'cases_resolved_with_macro',
  'label_applied',
  'agent_time_online',
]);

/** One number: `own` finds the happenings of a case that are in the cell. */
function measure(field: string, cases: readonly Case[], own: (one: Case) => Happening[], clip: Clip, macro?: Id) {
  const facts = (what: string) => cases.flatMap((one) => own(one).filter((fact) => fact.what === what));
  const lastResolves = cases.flatMap((one) => {
    const last = own(one).findLast(({ what }) => what === 'resolve');
    return last ? [{ one, last }] : [];
  });
  const before = ({ one, last }: (typeof lastResolves)[number], what: string) =>
    one.happenings.filter((fact) => fact.what === what && fact.second <= last.second);
  const chats = (one: Case) => own(one).filter(({ what }) => what === 'inbound' || what === 'outbound');
  const seconds = (fact: Happening) => Math.max(0, Math.min(fact.to!, clip.end) - Math.max(fact.second, clip.start));
  switch (field) {
    case 'case_creates':
      return facts('created').length;
    case 'case_deletes':
      return facts('deleted').length;
    case 'case_views':
      return facts('view').length;
    case 'inbound_cases':
    case 'outbound_cases':
      return cases.filter((one) => `${one.opening}_cases` === field && own(one).some(({ what }) => what === 'created'))
        .length;
    case 'inbound_interactions':
      return facts('inbound').length;
    case 'outbound_interactions':
      return facts('outbound').length;
    case 'avg_interactions': {
      const with_ = cases.filter((one) => chats(one).length > 0);
      return mean(with_.map((one) => chats(one).length));
    }
    case 'time_to_first_response':
      return mean(
        cases.flatMap((one) => {
          if (one.created === undefined || one.opening !== 'inbound') return [];
          const reply = one.happenings.find(({ what }) => what === 'outbound');
          return reply && own(one).includes(reply) ? [Math.max(0, reply.second - one.created)] : [];
        }),
      );
    case 'avg_handle_time':
      return mean(
        cases
          .map((one) => own(one).filter(({ what }) => what === 'handle'))
          .map((handles) => handles.reduce((sum, fact) => sum + seconds(fact), 0))
          .filter((sum) => sum > 0),
      );
    case 'avg_time_to_resolution':
      return mean(
        lastResolves.flatMap(({ one, last }) =>
          one.created === undefined ? [] : [Math.max(0, last.second - one.created)],
        ),
      );
    case 'case_resolves':
      return facts('resolve').length;
    case 'resolved_cases':
      return lastResolves.length;
    case 'case_reopens':
      return facts('reopen').length;
    case 'case_reopen_rate':
      return facts('resolve').length === 0 ? null : round(100 * facts('reopen').length, facts('resolve').length);
    case 'first_contact_resolution_rate': {
      const good = lastResolves.filter((resolved) => {
        const { one, last } = resolved;
        const disturbed = one.happenings.some((fact) => {
          if (fact.second >= last.second + FORTNIGHT) return false;
          if (fact.what === 'reopen') return fact.place > last.place;
          return (fact.what === 'inbound' || fact.what === 'outbound') && fact.second > last.second;
        });
        return before(resolved, 'outbound').length === 1 && !disturbed;
      });
      return lastResolves.length === 0 ? null : round(100 * good.length, lastResolves.length);
    }
    case 'agent_replies_per_resolve':
      return mean(lastResolves.map((resolved) => before(resolved, 'outbound').length));
    case 'resolved_without_response':
      return lastResolves.filter((resolved) => before(resolved, 'outbound').length === 0).length;
    case 'macro_applied':
      return facts('macro').length;
    case 'cases_resolved_with_macro':
      return lastResolves.filter((resolved) =>
        before(resolved, 'macro').some((fact) => macro === undefined || fact.macro === macro),
      ).length;
    case 'label_applied':
      return facts('label').length;
    default:
      throw new Error(field);
  }
}

interface Clip {
  readonly start: number;
  readonly end: number;
}

const ONLINE_DIMENSIONS = ['action_agent', 'action_group', 'assigned_agent', 'assigned_group'];

function timeOnline(
  sessions: readonly SessionEvent[],
  request: ReportRequest,
  reference: Reference,
  clip: Clip,
  pair: readonly (Id | null)[],
) {
  const { dimension1, dimension2, filters } = request;
  const dimensions = [dimension1, dimension2];
  if (dimensions.some((name) => name !== null && !ONLINE_DIMENSIONS.includes(name))) return null;
  if ((filters ?? []).flat().some(({ object }) => object !== 'Agents' && object !== 'Groups')) return null;
  let total = 0;
  for (const agent of new Set(sessions.map((session) => session.agent))) {
    const groups = reference.agentGroups.get(agent) ?? [];
    const find = (object: string): Names[] =>
      object === 'Agents'
        ? [{ id: agent, name: reference.names.agents.get(agent) ?? `${agent}` }]
        : groups.map((group) => ({ id: group, name: reference.names.groups.get(group) ?? `${group}` }));
    if (!passes(filters, find)) continue;
    const belongs = dimensions.every((name, place) => {
      if (name === null) return true;
      return name.endsWith('agent') ? pair[place] === agent : groups.some((group) => group === pair[place]);
    });
    if (!belongs) continue;
    const mine = sessions
      .filter((session) => session.agent === agent)
      .map(({ from, to }): [number, number] => [Math.max(whole(from), clip.start), Math.min(whole(to), clip.end)])
      .filter(([from, to]) => from < to);
    const marks = [...new Set(mine.flat())].sort((a, b) => a - b);
    marks.slice(1).forEach((end, at) => {
      const start = marks[at]!;
      if (mine.some(([from, to]) => from <= start && end <= to)) total += end - start;
    });
  }
  return total;
}

/** The rows of a report, by its definitions. */
export function naiveReport(
  histories: ReadonlyMap<string, readonly CaseEvent[]>,
  sessions: readonly SessionEvent[],
  reference: Reference,
  request: ReportRequest,
): Row[] {
  const { dimension1, dimension2, time, fields } = request;
  const told = [...histories.values()].map((events) => tell([...events]));
  const cases = told.filter((one) => passes(request.filters, (object) => filterMembers(object, one, reference)));
  const universe = (name: string | null, values: readonly Id[] | null): (Id | null)[] => {
    if (name === null) return [null];
    const met = new Set<Id>(
      told.flatMap((one) => one.happenings.flatMap((fact) => membersOf(name, one, fact, reference))),
    );
    for (const { agent } of sessions) {
      if (name.endsWith('agent')) met.add(agent);
      if (name.endsWith('group')) for (const group of reference.agentGroups.get(agent) ?? []) met.add(group);
    }
    const kept = [...met].filter((member) => !values?.length || values.map(String).includes(String(member)));
    const numbers = kept.filter((member) => typeof member === 'number').sort((a, b) => a - b);
    return [...numbers, ...kept.filter((member) => typeof member === 'string').sort()];
  };
  const firsts = universe(dimension1, request.dimension1_values);
  const seconds = universe(dimension2, request.dimension2_values);
  const rows: Row[] = [];
  for (const [start, end, label] of naiveWindows(request.time)) {
    const clip = { start: Math.max(start, time.min), end: Math.min(end, time.max) };
    for (const first of firsts) {
      for (const second of seconds) {
        const own = (one: Case): Happening[] =>
          one.happenings.filter((fact) => {
            const inside =
              fact.what === 'handle'
                ? fact.second < clip.end && fact.to! > clip.start && fact.to! > fact.second
                : fact.second >= clip.start && fact.second < clip.end;
            const has = (name: string | null, member: Id | null) =>
              name === null || membersOf(name, one, fact, reference).some((found) => found === member);
            return inside && has(dimension1, first) && has(dimension2, second);
          });
        const macro = dimension1 === 'macro' ? first : dimension2 === 'macro' ? second : null;
        const values = fields.map((field) =>
          field === 'agent_time_online'
            ? timeOnline(sessions, request, reference, clip, [first, second])
            : measure(field, cases, own, clip, macro ?? undefined),
        );
        const shown = fields.some((field, at) => (COUNTS.has(field) ? (values[at] ?? 0) !== 0 : values[at] !== null));
        if (shown || (dimension1 === null && dimension2 === null)) rows.push([label, first, second, ...values]);
      }
    }
  }
  return rows;
}
