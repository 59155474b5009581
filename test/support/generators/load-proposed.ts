import type { CaseEvent } from '../../../lib/history/cases/event.ts';
import { rowsIn } from '../../../lib/import/formats/row.ts';
import { completeMapping } from '../../../lib/import/mapping/parse-mapping.ts';
import type { Answers, Question } from '../../../lib/import/proposal/proposal.ts';
import { type Proposal, type ProposeContext, propose } from '../../../lib/import/proposal/propose.ts';
import { surveyCsv } from '../../../lib/import/proposal/survey.ts';
import { isEvent } from '../../../lib/import/records/records.ts';
import { sniffCsv } from '../../../lib/import/sniff.ts';
import { readMappedBytes } from './read-rows.ts';
import { ask, caseRows, reportOf } from './report-of.ts';

/** What a person answers to a question. */
export type Answering = (question: Question) => unknown;

/** A file that went all the way: what was asked, and the numbers of the reports. */
export interface Loaded {
  readonly proposal: Proposal;
  readonly asked: readonly Question[];
  readonly rounds: number;
  readonly numbers: Numbers | undefined; // undefined: not loaded
  readonly rejected: readonly string[];
}

/** The numbers that are compared: reports, and sums over cases. */
export type Numbers = Readonly<Record<string, number | null | Readonly<Record<string, number>>>>;

const FIELDS = {
  creates: 'case_creates',
  resolves: 'case_resolves',
  resolved: 'resolved_cases',
  reopens: 'case_reopens',
  open: 'open_cases',
  inbound: 'inbound_interactions',
  outbound: 'outbound_interactions',
  resolution: 'avg_time_to_resolution',
  response: 'time_to_first_response',
} as const;
const ROUNDS = 6; // more than there may be, which tests count

/** Takes a CSV through survey, proposal, answers and mapping to the numbers of the reports. */
export async function loadProposed(
  bytes: Uint8Array,
  answering: Answering = () => undefined,
  context: ProposeContext = {},
): Promise<Loaded> {
  const sample = await sniffCsv(bytes);
  if (sample === undefined) throw new Error('no CSV');
  const survey = await surveyCsv(chunks(bytes), sample.dialect);
  const answers: Record<string, unknown> = {};
  const asked: Question[] = [];
  let proposal = propose(survey, answers, context);
  let rounds = 0;
  while (proposal.questions.length > 0 && rounds < ROUNDS) {
    rounds += 1;
    for (const question of proposal.questions) {
      asked.push(question);
      answers[question.id] = answering(question);
    }
    proposal = propose(survey, answers satisfies Answers, context);
  }
  if (proposal.mapping === undefined) return { proposal, asked, rounds, numbers: undefined, rejected: [] };
  const rejected: string[] = [];
  const events: CaseEvent[] = [];
  const names = new Map<string, string>();
  const mapping = completeMapping(proposal.mapping, 'UTC');
  for await (const batch of readMappedBytes(chunks(bytes), mapping).batches) {
    for (const row of rowsIn(batch)) {
      if ('reason' in row) rejected.push(row.reason);
      for (const record of 'records' in row ? row.records : []) {
        if (isEvent(record)) {
          if ('case' in record) events.push(record);
        } else if ('name' in record && 'id' in record) names.set(`${record.type}${record.id}`, String(record.name));
      }
    }
  }
  return { proposal, asked, rounds, numbers: numbersOf(events, names), rejected };
}

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The numbers of events; `names`: of members, by their type and id. */
export function numbersOf(events: readonly CaseEvent[], names: ReadonlyMap<string, string>): Numbers {
  const cases = new Map<string, CaseEvent[]>();
  for (const event of events) cases.set(event.case, [...(cases.get(event.case) ?? []), event]);
  const rows = caseRows(cases);
  const time = { min: '2020-01-01T00:00:00Z', max: '2030-01-01T00:00:00Z', window_size: 'none' };
  const [report = []] = reportOf(ask({ fields: Object.values(FIELDS), time }), rows);
  const values = report.slice(report.length - Object.keys(FIELDS).length);
  const reported = Object.fromEntries(
    Object.keys(FIELDS).map((name, index) => {
      const value = values[index];
      return [name, typeof value === 'number' ? value : null];
    }),
  );
  const counts = (of: (row: (typeof rows)[number]) => string | undefined): Record<string, number> => {
    const found: Record<string, number> = {};
    for (const row of rows) {
      const key = of(row);
      if (key !== undefined) found[key] = (found[key] ?? 0) + 1;
    }
    return found;
  };
  const name = (kind: string, id: number | null): string | undefined =>
    id === null ? undefined : names.get(`${kind}${id}`);
  const custom: Record<string, number> = {};
  for (const { attributes } of rows) {
    for (const { field, value } of attributes.customValues) {
      const key = `${name('custom_field', field)}: ${value}`;
      custom[key] = (custom[key] ?? 0) + 1;
    }
  }
  return {
    ...reported,
    fields: custom,
    notes: events.filter(({ type }) => type === 'note').length,
    created: rows.reduce((sum, { facts }) => sum + (facts.created[0]?.second ?? 0), 0),
    agents: counts(({ attributes }) => name('agent', attributes.agent)),
    groups: counts(({ attributes }) => name('group', attributes.group)),
    priorities: counts(({ attributes }) => (attributes.priority === null ? undefined : String(attributes.priority))),
    scores: counts(({ attributes }) => (attributes.score === null ? undefined : String(attributes.score))),
  };
}
