import * as z from 'zod';
import { recordOf } from '../../typed-object.ts';
import { type HistoryEvent, isOfAgent } from '../cases/event.ts';
import type { Subject } from '../cases/subject.ts';
import { markOf } from '../cases/versions.ts';
import type { Column } from '../segments/byte-planes.ts';
import { openColumnFile, writeColumnFile } from '../segments/column-file.ts';
import {
  FLAGS,
  FORM_COLUMNS,
  FORMS,
  type FormReader,
  type FormWriter,
  type LeafDictionary,
  readForm,
  typeNumberOf,
  typeOf,
  writeForm,
  zigzagDecode,
  zigzagEncode,
} from './ledger-forms.ts';
import { countNumbers, endsInNumber, idJoiner, splitId } from './ledger-ids.ts';
import { appearanceIndex, type RunLengths, runReader, runsOf, runWriter } from './source-runs.ts';

/** All accepted events of one subject. */
export interface LedgerEntry {
  readonly subject: Subject;
  readonly events: readonly HistoryEvent[]; // each source and id once; of a versioned source one version, or its mark
}

const MICROS = 1_000_000;

const DICTIONARIES: readonly LeafDictionary[] = ['agents', 'groups', 'companies', 'fields', 'macros'];

/** The number columns of all event types, beside `count`. */
const COMMON_COLUMNS = ['kind', 'second', 'micros', 'agent', 'group', 'template', 'running', 'hex'] as const;

const Head = z.object({ start: z.int() }); // s, the time of each run's first event is counted from it
const Texts = z.array(z.string());
const Numbers = z.array(z.number());

/**
 * Encodes a ledger leaf: the events of some subjects, column by column. The same entries in the same order give the
 * same bytes.
 */
export function encodeLeaf(entries: readonly LedgerEntry[]): Uint8Array {
  const numbers: Record<string, number[]> = {};
  const column = (name: string): number[] => (numbers[name] ??= []);
  const dictionaries = new Map(DICTIONARIES.map((name) => [name, new Map<number, number>()]));
  const texts = new Map<string, number>();
  const templates = new Map<string, number>();
  const count = column('count');
  const { kind, second, micros, agent, group, template, running, hex } = recordOf(COMMON_COLUMNS, column);
  const forms = recordOf(FORM_COLUMNS, column);
  const out: FormWriter = {
    put: (name, value) => forms[name].push(value),
    text: (value) => forms.text.push(appearanceIndex(texts, JSON.stringify(value))),
    index: (name, member) => appearanceIndex(dictionaries.get(name)!, member),
  };

  const sources = runWriter();
  const sorted = entries.map(({ subject, events }) => {
    const runs = runsOf(events);
    sources.add(runs);
    return { subject, runs: runs.map(({ events }) => events) };
  });
  let start = Number.POSITIVE_INFINITY;
  for (const { runs } of sorted)
    for (const [first] of runs) if (first) start = Math.min(start, Math.floor(first.at / MICROS));
  if (!Number.isFinite(start)) start = 0;
  for (const { subject, runs } of sorted) {
    const owner = subject.slice(1);
    count.push(runs.reduce((sum, { length }) => sum + length, 0));
    let lastRunning = 0;
    for (const events of runs) {
      let last = start;
      for (const event of events) {
        kind.push(typeNumberOf(event));
        if (event.agent !== undefined) agent.push(out.index('agents', event.agent));
        if (!isOfAgent(event) && event.group !== undefined) group.push(out.index('groups', event.group));
        const whole = Math.floor(event.at / MICROS);
        second.push(whole - last);
        last = whole;
        micros.push(event.at - whole * MICROS);
        const parts = splitId(event.id, owner, event.at);
        template.push(appearanceIndex(templates, parts.template));
        if (endsInNumber(parts.template)) {
          running.push(zigzagEncode(parts.numbers[0]! - lastRunning));
          lastRunning = parts.numbers[0]!;
        } else for (const number of parts.numbers) hex.push(number);
        writeForm(event, out);
      }
    }
  }
  if (micros.every((value) => value === 0)) numbers.micros = [];
  const json: Record<string, unknown> = {
    subjects: sorted.map(({ subject }) => subject),
    templates: [...templates.keys()],
    texts: [...texts.keys()],
  };
  for (const [name, members] of dictionaries) if (members.size > 0) json[name] = [...members.keys()];
  const runs = sources.columns();
  return writeColumnFile({ start }, { ...numbers, ...runs.numbers }, { ...json, ...runs.json });
}

/** Decodes the entries of a leaf: only those of the `wanted` subjects, or all if it is absent. */
export function decodeLeaf(bytes: Uint8Array, wanted?: { has(subject: Subject): boolean }): LedgerEntry[] {
  const file = openColumnFile(bytes, Head);
  const subjects = Texts.parse(file.json('subjects'));
  if (wanted && !subjects.some((subject) => wanted.has(subject))) return [];
  const read = eventReader(file);
  const counts = file.numbers('count');
  const entries: LedgerEntry[] = [];
  for (const [index, subject] of subjects.entries()) {
    if (wanted === undefined || wanted.has(subject))
      entries.push({ subject, events: read.next(subject, counts[index]!) });
    else read.skip(counts[index]!);
  }
  return entries;
}

/** Counts the events of a subject in a leaf, without decoding them. */
export function countEvents(bytes: Uint8Array, subject: Subject): number {
  const file = openColumnFile(bytes, Head);
  const index = Texts.parse(file.json('subjects')).indexOf(subject);
  return index < 0 ? 0 : (file.numbers('count')[index] ?? 0);
}

/** Returns the subjects of a leaf, in its order. */
export function leafSubjects(bytes: Uint8Array): string[] {
  return Texts.parse(openColumnFile(bytes, Head).json('subjects'));
}

type LeafFile = ReturnType<typeof openColumnFile<z.infer<typeof Head>>>;

/** Opens the columns of a leaf, each with a cursor that keeps its position. */
function openColumns(file: LeafFile) {
  const templates = Texts.parse(file.json('templates')).map((template) => ({
    join: idJoiner(template),
    ...countNumbers(template),
  }));
  const texts = Texts.parse(file.json('texts')).map((text): unknown => JSON.parse(text));
  const members = new Map(DICTIONARIES.map((name) => [name, Numbers.parse(file.json(name) ?? [])]));
  const forms = recordOf(FORM_COLUMNS, (name) => cursor(file.numbers(name)));
  const source: FormReader = {
    next: (name) => forms[name].next(),
    text: () => texts[forms.text.next()],
    member: (name, index) => members.get(name)![index]!,
  };
  return {
    start: file.head.start,
    templates,
    forms,
    source,
    kinds: file.numbers('kind'),
    seconds: file.numbers('second'),
    micros: file.numbers('micros'),
    templateIndexes: file.numbers('template'),
    agents: cursor(file.numbers('agent')),
    groups: cursor(file.numbers('group')),
    running: cursor(file.numbers('running')),
    hex: cursor(file.numbers('hex')),
  };
}

function eventReader(file: LeafFile) {
  const columns = openColumns(file);
  const { kinds, seconds, micros, templates, templateIndexes, agents, groups, running, hex, forms, source } = columns;
  const runsOfNext = runReader(file);
  let at = 0; // index of the next event
  let last = 0; // running number of the subject's last id

  function readRun(owner: string, count: number): HistoryEvent[] {
    const events: HistoryEvent[] = [];
    let second = columns.start;
    for (const end = at + count; at < end; at += 1) {
      const kind = kinds[at]!;
      second += seconds[at]!;
      const instant = second * MICROS + (micros[at] ?? 0);
      const parts = templates[templateIndexes[at]!]!;
      const numbers: number[] = [];
      if (parts.running) numbers.push((last += zigzagDecode(running.next())));
      for (let i = 0; i < parts.hex; i += 1) numbers.push(hex.next());
      const agent = kind & FLAGS.agent ? source.member('agents', agents.next()) : undefined;
      const group = kind & FLAGS.group ? source.member('groups', groups.next()) : undefined;
      const start = { id: parts.join(owner, instant, numbers), at: instant, owner, agent, group };
      events.push(readForm(kind, start, source));
    }
    return events;
  }

  return {
    skip(count: number): void {
      runsOfNext?.(count);
      for (const end = at + count; at < end; at += 1) {
        const kind = kinds[at]!;
        if (kind & FLAGS.agent) agents.step(1);
        if (kind & FLAGS.group) groups.step(1);
        const parts = templates[templateIndexes[at]!]!;
        running.step(parts.running);
        hex.step(parts.hex);
        for (const name of FORMS[typeOf(kind)].columns) forms[name].step(1);
      }
    },
    next(subject: Subject, count: number): HistoryEvent[] {
      last = 0;
      const owner = subject.slice(1);
      if (runsOfNext === undefined) return readRun(owner, count);
      const all: HistoryEvent[] = [];
      for (const run of runsOfNext(count))
        for (const event of eventsOfRun(subject, run, readRun(owner, run.count))) all.push(event);
      return all;
    },
  };
}

/** Adds source and version to the events of a run; returns the run's mark if it has no events. */
function eventsOfRun(subject: Subject, { source, asOf }: RunLengths, events: HistoryEvent[]): HistoryEvent[] {
  if (source === undefined) return events;
  if (events.length === 0 && asOf !== undefined) return [markOf(subject, source, asOf)];
  const origin = asOf === undefined ? { source } : { source, as_of: asOf };
  return events.map((event) => Object.assign(event, origin));
}

interface Cursor {
  next(): number;
  step(count: number): void;
}

function cursor(values: Column): Cursor {
  let at = 0;
  return { next: () => values[at++]!, step: (count) => void (at += count) };
}
