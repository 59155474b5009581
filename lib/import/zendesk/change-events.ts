import type { Assignee, CaseEvent } from '../../history/cases/event.ts';
import type { Mutable } from '../../typed-object.ts';
import type { CaseStatus } from '../../vocabulary.ts';
import type { Actor } from '../mapping/attributes.ts';
import { channelName } from '../mapping/channels.ts';
import type { Members } from '../mapping/member-ids.ts';
import { PRIORITIES, STATUSES, type ZendeskOptions } from './options.ts';
import type { People } from './people.ts';
import type { AuditIds, Story } from './story.ts';
import { type FieldChange, type FieldValue, type Ignore, isRule, type Update } from './update.ts';
import { tagsOf, zendeskId } from './values.ts';

/** The setting in which tickets are read. */
export interface TicketSetting {
  readonly options: ZendeskOptions;
  readonly people: People;
  readonly members: Members;
  readonly timeField: TimeField | undefined;
  readonly ignore: Ignore;
}

/** The custom field in which a time-tracking app stores seconds. */
export interface TimeField {
  readonly id: number;
  readonly isTotal: boolean; // true: the total time spent on the ticket; false: the time of the last update
}

type Created = Mutable<Extract<CaseEvent, { type: 'case.created' }>>;

/** Longest value of a custom field, in bytes (docs/import.md); longer ones are cut. */
const MAX_VALUE = 4_096;

interface CreationContext {
  readonly id: string;
  readonly setting: TicketSetting;
  readonly actor: Actor;
  readonly status?: Exclude<CaseStatus, 'new'> | undefined; // in which the ticket begins; absent: new
}

/** Makes the creation of a ticket from the first values of an audit; without any it has only the channel. */
export function creationEvent(
  { at, channel }: Update,
  first: readonly FieldChange[],
  story: Story,
  { id, setting, actor, status }: CreationContext,
): CaseEvent {
  const event: Created = { type: 'case.created', id, at, case: story.ticket, ...actor, ...(status && { status }) };
  if (channel !== null) event.channel = setting.members.id('channel', channelName(channel));
  const values: Record<string, string> = {};
  for (const { field, value } of first) {
    if (field === 'priority') event.priority = priorityOf(value, setting);
    else if (field === 'organization_id') event.company = zendeskId(value);
    else if (field === 'tags') {
      story.tags = tagsOf(value);
      if (story.tags.length > 0) event.labels = labelsOf(story.tags, setting);
    } else if (/^\d+$/.test(field)) {
      const text = fieldText(value);
      if (text !== null) values[field] = text;
    }
  }
  if (Object.keys(values).length > 0) event.custom_fields = values;
  return event;
}

/** The context of all changes of an audit. */
interface AuditContext {
  readonly ids: AuditIds;
  readonly setting: TicketSetting;
  readonly isMerge: boolean; // the audit closes a ticket that was merged into another
}

/** One change and its context. */
interface ChangeContext {
  readonly change: FieldChange;
  readonly base: Omit<CaseEvent, 'type' | 'id'>;
  readonly story: Story;
  readonly changing: AuditContext;
}

/** Makes the events of an audit's changes, without the creation. */
export function settingEvents(
  update: Update,
  changes: readonly FieldChange[],
  story: Story,
  changing: AuditContext,
): CaseEvent[] {
  const { setting } = changing;
  const events = assignments(update, changes, story, changing);
  for (const change of changes) {
    const actor = setting.people.actor(update.author, change.byRule ?? isRule(update.channel));
    const base = { at: update.at, case: story.ticket, ...actor };
    const one = { change, base, story, changing };
    const make = change.isFirst ? FIRST[change.field] : (CHANGES[change.field] ?? customChange);
    events.push(...(make?.(one) ?? []));
    if (Number(change.field) === setting.timeField?.id) events.push(...timeSpent(one));
  }
  return events;
}

type Make = (one: ChangeContext) => readonly CaseEvent[];

const statusEvents: Make = ({ change: { value, isFirst }, base, changing: { ids, setting, isMerge } }) => {
  const to = statusOf(value, setting);
  if (to === undefined || (isFirst && to === 'new')) return [];
  const id = ids.next('status');
  const isSkipped = isMerge && setting.options.merged === 'skip' && (to === 'closed' || to === 'resolved');
  if (isSkipped) return [{ type: 'case.deleted', id, ...base }]; // no resolve, and out of the backlog
  return [to === 'deleted' ? { type: 'case.deleted', id, ...base } : { type: 'case.status', id, ...base, to }];
};

const ratingEvents: Make = ({ change: { value, before }, base, story, changing: { ids, setting } }) => {
  const [now, was] = [ratingOf(value, setting), ratingOf(before ?? null, setting)];
  const isTakenBack = now === null && (was !== null || story.isRated);
  if (now === null && !isTakenBack) return [];
  story.isRated = now !== null;
  return [{ type: 'csat.rated', id: ids.next('rated'), ...base, score: now }];
};

/** Makers of events for first values that `case.created` cannot hold. */
const FIRST: Readonly<Record<string, Make>> = { status: statusEvents, satisfaction_score: ratingEvents };

const CHANGES: Readonly<Record<string, Make>> = {
  ...FIRST,
  priority: ({ change, base, changing: { ids, setting } }) => [
    { type: 'case.priority', id: ids.next('priority'), ...base, priority: priorityOf(change.value, setting) },
  ],
  organization_id: ({ change, base, changing: { ids } }) => [
    { type: 'case.company', id: ids.next('company'), ...base, company: zendeskId(change.value) },
  ],
  tags: ({ change: { value, before }, base, story, changing: { ids, setting } }) => {
    const now = tagsOf(value);
    const was = before === undefined ? story.tags : tagsOf(before);
    const added = now.filter((tag) => !was.includes(tag));
    const removed = was.filter((tag) => !now.includes(tag));
    story.tags = [...story.tags.filter((tag) => !removed.includes(tag)), ...added];
    if (added.length + removed.length === 0) return [];
    const [add, remove] = [labelsOf(added, setting), labelsOf(removed, setting)];
    return [{ type: 'case.labels', id: ids.next('labels'), ...base, add, remove }];
  },
  assignee_id: () => [],
  group_id: () => [],
  requester_id: () => [],
};

const customChange: Make = ({ change: { field, value }, base, changing: { ids } }) => [
  { type: 'case.custom_field', id: ids.next(`field${field}`), ...base, field: Number(field), value: fieldText(value) },
];

/** Makes one event of assignee and group that change in the same audit, unless one of them changes twice. */
function assignments(
  { at, author, channel }: Update,
  changes: readonly FieldChange[],
  { ticket }: Story,
  { ids, setting }: AuditContext,
): CaseEvent[] {
  const steps: { to: Mutable<Assignee>; isAutomated: boolean }[] = [];
  for (const { field, value, isFirst, byRule } of changes) {
    const part = field === 'assignee_id' ? 'agent' : field === 'group_id' ? 'group' : undefined;
    if (part === undefined || (isFirst && value === null)) continue;
    const isAutomated = setting.people.actor(author, byRule ?? isRule(channel)).automated === true;
    let step = steps.at(-1);
    if (step === undefined || part in step.to) steps.push((step = { to: {}, isAutomated: true }));
    step.to[part] = zendeskId(value);
    step.isAutomated &&= isAutomated;
  }
  return steps.map(({ to, isAutomated }) => ({
    type: 'case.assigned',
    id: ids.next('assigned'),
    at,
    case: ticket,
    ...(isAutomated && { automated: true }),
    to,
  }));
}

/** Makes an interval from the time that an app added to a field of the ticket; it ends when the app stored it. */
function timeSpent({
  change: { value, before, isFirst },
  base,
  story,
  changing: { ids, setting },
}: ChangeContext): CaseEvent[] {
  const noted = Number(typeof value === 'string' ? value : Number.NaN);
  if (!Number.isFinite(noted)) return [];
  const known = before === undefined ? (story.timeSpent ?? (isFirst ? 0 : undefined)) : Number(before ?? 0);
  story.timeSpent = noted;
  if (setting.timeField?.isTotal && known === undefined)
    setting.ignore('time spent in all, of which the part before is unknown');
  const seconds = setting.timeField?.isTotal ? noted - (known ?? noted) : noted;
  if (!(seconds > 0)) return [];
  const from = Math.max(0, base.at - Math.floor(seconds) * 1_000_000);
  return [{ type: 'case.handled', id: ids.next('handled'), ...base, from, to: base.at }];
}

function statusOf(value: FieldValue, { options, ignore }: TicketSetting): CaseStatus | 'deleted' | undefined {
  if (typeof value !== 'string') return undefined;
  const status = value.toLowerCase();
  const known = Object.hasOwn(options.statuses, status) ? options.statuses[status] : STATUSES[status];
  if (known === undefined) ignore(`status ${value}`);
  return known;
}

function priorityOf(value: FieldValue, { ignore }: TicketSetting): number | null {
  if (typeof value !== 'string') return null;
  const known = PRIORITIES[value.toLowerCase()];
  if (known === undefined) ignore(`priority ${value}`);
  return known ?? null;
}

function ratingOf(value: FieldValue, { options }: TicketSetting): number | null {
  if (typeof value !== 'string') return null;
  const [good, bad] = options.rating === 'yes_no' ? [1, 0] : [4, 1];
  return value.startsWith('good') ? good : value.startsWith('bad') ? bad : null;
}

const labelsOf = (tags: readonly string[], { members }: TicketSetting): readonly number[] =>
  [...new Set(tags.map((tag) => members.id('label', tag)))].sort((a, b) => a - b);

function fieldText(value: FieldValue): string | null {
  const text = typeof value === 'string' || value === null ? value : value.length === 0 ? null : value.join(', ');
  if (text === null || Buffer.byteLength(text) <= MAX_VALUE) return text;
  return Buffer.from(text)
    .subarray(0, MAX_VALUE)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
}
