import type { SampledColumn } from './sampled-columns.ts';

/** What a column may hold about a case. */
export type ColumnRole =
  | 'case'
  | 'key'
  | 'activity'
  | 'direction'
  | 'private'
  | 'at'
  | 'created'
  | 'updated'
  | 'replied'
  | 'repliedAfter'
  | 'solved'
  | 'solvedAfter'
  | 'status'
  | 'agent'
  | 'group'
  | 'actor'
  | 'priority'
  | 'channel'
  | 'company'
  | 'labels'
  | 'requester'
  | 'submitter';

interface RoleRule {
  readonly names: readonly RegExp[]; // the best first
  readonly holds?: 'time' | 'duration'; // absent: anything but a time
}

/** The column names by which each role is recognised. */
const ROLES: { readonly [R in ColumnRole]: RoleRule } = {
  case: {
    names: [
      /^(case|ticket|issue|incident|conversation|request|sr)[ _.:-]*(id|number|no|key|#)$/i,
      /^(case|ticket|issue|incident|conversation|request)$/i,
      /^case:concept:name$/i,
      /^(number|id|key|reference)$/i,
      /(case|ticket|issue|incident|conversation).*(id|number|no)$/i,
    ],
  },
  key: { names: [/^(message|comment|part|interaction|mail)[ _-]?(id|number|no)?$/i, /^id$/i] },
  activity: { names: [/^(activity|concept:name|event|action)([ _-]?(name|type))?$/i, /activity|field[ _]name/i] },
  direction: { names: [/direction|sender[ _]type|author[ _](type|role)/i, /^(role|inbound|incoming)$/i] },
  private: { names: [/private|internal/i] },
  at: {
    names: [/time ?stamp/i, /^(time|date|at|when)$/i, /updat|modif|changed|sent|performed/i, /time|date|_at$/i],
    holds: 'time',
  },
  created: { names: [/creat/i, /^open(ed)?\b|opened|submitted|reported|received|regist/i], holds: 'time' },
  updated: { names: [/updat|modif|changed/i, /last/i], holds: 'time' },
  replied: { names: [/(first|initial).*(repl|respon|answer)/i, /respond/i], holds: 'time' },
  solved: { names: [/^(resol|solv)/i, /resol|solv|complet/i, /clos/i], holds: 'time' },
  repliedAfter: { names: [/(first|initial).*(repl|respon|answer)/i], holds: 'duration' },
  solvedAfter: { names: [/(full|total).*(resol|solv)/i, /resol|solv/i], holds: 'duration' },
  status: { names: [/^(ticket |case |issue |incident )?(status|state)$/i, /status|state/i] },
  agent: { names: [/^(assignee|assigned[ _]?(to|agent)?|agent|owner)([ _]name)?$/i, /assign|agent|owner|handler/i] },
  group: { names: [/^(assignment[ _])?(group|team|queue)([ _]name)?$/i, /group|team|queue|department/i] },
  actor: { names: [/^(org:)?resource$/i, /(updated|changed|performed)[ _]by/i, /author|^user$/i, /created[ _]by/i] },
  priority: { names: [/^priority$/i, /priority|urgency|severity/i] },
  channel: { names: [/^(channel|via|source|contact[ _]type|origin)$/i, /channel/i] },
  company: { names: [/^(associated )?(company|organi[sz]ation|account)([ _]name)?$/i] },
  labels: { names: [/^(tags?|labels?)$/i] },
  requester: { names: [/^(requester|caller|customer|contact|reporter)([ _](id|name))?$/i] },
  submitter: { names: [/^(submitter|creator|(opened|submitted|created)[ _]by)$/i] },
};

/** Finds the column of a role by its name and content; columns in `without` are taken already. */
export function columnByRole(
  role: ColumnRole,
  columns: readonly SampledColumn[],
  without: readonly (SampledColumn | undefined)[] = [],
): SampledColumn | undefined {
  const { names, holds } = ROLES[role];
  const free = columns.filter((column) => !without.includes(column) && isHolding(column, holds));
  for (const expression of names) {
    const found = free.find(({ name }) => expression.test(name));
    if (found !== undefined) return found;
  }
  return undefined;
}

const isHolding = ({ time, duration }: SampledColumn, holds: RoleRule['holds']): boolean =>
  holds === 'duration' ? duration !== undefined : (time !== undefined) === (holds === 'time');
