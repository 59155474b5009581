import { DURATIONS } from './durations.ts';
import type { PlainFieldName } from './fields.ts';

const PROMISE = ['SLA', 'service level'];
const KEPT = [...PROMISE, 'met', 'achieved', 'on time'];
const BROKEN = [...PROMISE, 'missed', 'breached', 'violated', 'overdue', 'late'];
const RATE = [...PROMISE, 'compliance', 'achievement rate'];

/** The words that people search a field by, besides its label and name: those of other help desks. */
export const ALSO_CALLED: Readonly<Record<PlainFieldName, readonly string[]>> = {
  agent_replies_per_resolve: ['replies per ticket', 'touches', 'agent touches', 'responses per case'],
  agent_time_online: ['availability', 'online time', 'agent hours', 'logged in', 'presence'],
  avg_handle_time: DURATIONS.handle_time.alsoCalled,
  avg_interactions: ['interactions per ticket', 'messages per ticket', 'touches', 'thread length'],
  avg_time_to_resolution: DURATIONS.time_to_resolution.alsoCalled,
  case_creates: [
    'tickets',
    'new tickets',
    'ticket volume',
    'incoming cases',
    'cases opened',
    'conversations',
    'requests',
  ],
  case_deletes: ['deleted tickets', 'trash', 'spam'],
  case_reopen_rate: ['reopened tickets', 'reopening rate'],
  case_reopens: ['reopened tickets', 'reopened cases'],
  reopened_resolves: ['reopened tickets', 'reopens by agent', 'failed resolutions'],
  reopened_resolve_rate: ['reopen rate by agent', 'reopened tickets', 'reopening rate'],
  case_resolves: ['solves', 'closes', 'resolutions', 'closed tickets'],
  case_views: ['opens', 'tickets viewed', 'looked at'],
  cases_resolved_with_macro: ['canned responses', 'templates', 'automation'],
  macro_applied: ['macro usage', 'canned responses', 'templates used'],
  first_contact_resolution_rate: ['FCR', 'one-touch tickets', 'one touch resolution', 'first contact'],
  inbound_cases: ['tickets from customers', 'incoming tickets', 'inbound volume'],
  inbound_interactions: ['incoming messages', 'customer replies', 'received messages', 'emails received', 'volume'],
  label_applied: ['tags added', 'tagging'],
  outbound_cases: ['proactive tickets', 'tickets by agents', 'outgoing cases'],
  outbound_interactions: ['agent replies', 'replies sent', 'public comments', 'emails sent', 'outgoing messages'],
  resolved_cases: ['solved tickets', 'closed tickets', 'completed', 'done', 'throughput'],
  resolved_without_response: ['unanswered tickets', 'solved without a reply', 'no response'],
  time_to_first_response: DURATIONS.time_to_first_response.alsoCalled,
  reply_time: DURATIONS.reply_time.alsoCalled,
  open_cases: ['backlog', 'unresolved tickets', 'unsolved tickets', 'open tickets', 'queue', 'pending'],
  csat_ratings: ['CSAT', 'surveys', 'survey responses', 'feedback', 'reviews'],
  csat_score: ['CSAT', 'customer satisfaction', 'average rating', 'stars', 'happiness'],
  csat_positive_rate: ['CSAT', 'customer satisfaction', 'good ratings', 'happy customers', 'thumbs up'],
  sla_first_response_met: KEPT,
  sla_first_response_missed: BROKEN,
  sla_first_response_rate: RATE,
  sla_reply_met: KEPT,
  sla_reply_missed: BROKEN,
  sla_reply_rate: RATE,
  sla_resolution_met: KEPT,
  sla_resolution_missed: BROKEN,
  sla_resolution_rate: RATE,
};
