import { createHash } from 'node:crypto';
import { isMark } from '../history/cases/event.ts';
import { caseSubject } from '../history/cases/subject.ts';
import { eventsOf } from '../history/rewrite.ts';
import { listSources, type SourceNote } from '../history/sources.ts';
import type { HistoryContext } from '../history/storage/history-context.ts';
import type { Mapping } from './mapping/mapping.ts';
import { compilePattern } from './mapping/pattern.ts';
import type { Answers, Question } from './proposal/proposal.ts';
import type { CsvSample } from './sniff.ts';

/** The id of the question, and of its answer: a source's name, or null for a new source. */
export const NEWER_COPY = 'newer_copy';

/** A file whose rows replace cases, as far as a newer copy of it can be recognised. */
export interface CopyMarks {
  readonly form: string; // digest of its columns
  readonly ids: readonly string[]; // of its first cases
}

const IDS = 200;

/** Returns by what a newer copy of a file is recognised; undefined if its cases cannot be read from a cell. */
export function copyMarks(mapping: Mapping | undefined, { header, rows }: CsvSample): CopyMarks | undefined {
  if (mapping === undefined || mapping.kind === 'members') return undefined;
  const { column, pattern, lookup } = mapping.case;
  const index = column === undefined ? -1 : header.indexOf(column);
  if (index < 0 || lookup !== undefined) return undefined;
  const found = pattern === undefined ? undefined : compilePattern(pattern).find;
  const idOf = (cell: string): string => (found === undefined ? cell : (found(cell) ?? ''));
  const ids = rows.map((row) => idOf((row[index] ?? '').trim())).filter((id) => id !== '');
  const form = createHash('sha256').update(JSON.stringify(header)).digest('base64url').slice(0, 22); // 132 bits
  return { form, ids: [...new Set(ids)].slice(0, IDS) };
}

/** Finds the sources whose last file had the same columns and which have cases of this file; the latest first. */
export async function earlierCopies(context: HistoryContext, { form, ids }: CopyMarks): Promise<SourceNote[]> {
  const notes = await listSources(context);
  const alike = notes.filter((note) => note.form === form && note.state === 'open' && !note.isTried);
  if (alike.length === 0) return [];
  const events = [...(await eventsOf(context, ids.map(caseSubject))).values()].flat();
  const shares = ({ name }: SourceNote): boolean => events.some((event) => event.source === name && !isMark(event));
  return alike.filter(shares).sort((a, b) => b.last - a.last);
}

/** The source that answers name, or null for a source of its own; undefined if they say neither. */
export const answeredCopy = (
  copies: readonly SourceNote[],
  { [NEWER_COPY]: answer }: Answers,
): string | null | undefined => (answer === null ? null : copies.find(({ name }) => name === answer)?.name);

/** What replacing an earlier copy would do, in cases. */
export interface CopyNumbers {
  readonly changed: number;
  readonly added: number;
  readonly gone: number | undefined; // undefined: nobody said that the file is complete
}

/** The question whether a file is a newer copy of one of these sources; none if there is no source. */
export function newerCopyQuestion(
  copies: readonly SourceNote[],
  zone: string,
  numbers: CopyNumbers | undefined,
): readonly Question[] {
  const [latest] = copies;
  if (latest === undefined) return [];
  const dayOf = ({ last }: SourceNote): string =>
    new Date(last).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: zone });
  const gone = numbers?.gone === undefined ? '' : `, ${numbers.gone} gone`;
  const told = numbers === undefined ? '' : ` It has ${numbers.changed} changed and ${numbers.added} new cases${gone}.`;
  return [
    {
      id: NEWER_COPY,
      about: 'newer_copy',
      text: `The file is a newer copy of the export of ${dayOf(latest)} (source ${latest.name}).${told} Replace that one?`,
      choices: [
        ...copies.map((note) => ({ answer: note.name, text: `Replace the export of ${dayOf(note)} (${note.name})` })),
        { answer: null, text: 'No, load it as a source of its own' },
      ],
      proposed: latest.name,
    },
  ];
}
