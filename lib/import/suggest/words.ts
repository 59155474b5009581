/** Expressions and their meanings; the first that matches counts. */
type Meanings<T> = readonly (readonly [expression: RegExp, meaning: T])[];

const STATUSES: Meanings<string> = [
  [/re-?open|wait.*(support|agent)|escalat/i, 'open'],
  [/clos|cancel|reject|declin|archiv/i, 'closed'],
  [/resol|solv|complet|done|fixed|finish/i, 'resolved'],
  [/pend|wait|hold|await|snooz|block/i, 'pending'],
  [/^new$|regist|submit|creat|unassigned|to ?do/i, 'new'],
  [/open|progress|activ|assign|work|queue|accept|start|investig/i, 'open'],
];

const PRIORITIES: Meanings<number> = [
  [/lowest|trivial/i, 1],
  [/low|minor/i, 2],
  [/normal|medium|moderate|standard/i, 5],
  [/highest|urgent|critical|blocker|emergency/i, 10],
  [/high|major|important/i, 8],
];

const DIRECTIONS: Meanings<string> = [
  [/outbound|outgoing|sent|agent|admin|staff|support|operator|employee/i, 'outbound'],
  [/inbound|incoming|received|customer|client|user|requester|reporter|contact|visitor|lead/i, 'inbound'],
];

const find = <T>(meanings: Meanings<T>, text: string): T | undefined =>
  meanings.find(([expression]) => expression.test(text))?.[1];

export const statusOf = (text: string): string | undefined => find(STATUSES, text);
export const directionOf = (text: string): string | undefined => find(DIRECTIONS, text);

/** Returns the priority of a word, or of a number from 1 (most urgent) to 5; undefined if it is unknown. */
export function priorityOf(text: string): number | undefined {
  const digit = /^p?([1-5])\b/i.exec(text)?.[1];
  return find(PRIORITIES, text) ?? (digit === undefined ? undefined : [10, 8, 5, 2, 1][Number(digit) - 1]);
}

/** Returns the events that an activity's name suggests; undefined if it suggests nothing. */
export function suggestedEvents(activity: string): readonly object[] | undefined {
  const status = (to: string) => [{ type: 'case.status', to: { value: to } }];
  if (/assign|take in charge|took|route|transfer|escalat/i.test(activity)) return [];
  if (/first (reply|response)|repl(y|ied)|respon[ds]|answer|e-?mail sent|outbound/i.test(activity)) {
    return [{ type: 'interaction', direction: { value: 'outbound' } }];
  }
  if (/customer|inbound|e-?mail received|requester/i.test(activity)) {
    return [{ type: 'interaction', direction: { value: 'inbound' } }];
  }
  if (/note|comment/i.test(activity)) return [{ type: 'note' }];
  const to = statusOf(activity);
  return to === undefined || to === 'new' ? undefined : status(to);
}
