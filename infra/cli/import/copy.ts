import { listSources } from '../../../lib/history/sources.ts';
import {
  answeredCopy,
  type CopyMarks,
  type CopyNumbers,
  earlierCopies,
  NEWER_COPY,
  newerCopyQuestion,
} from '../../../lib/import/newer-copy.ts';
import type { Opening } from '../../../lib/import/open.ts';
import type { OriginChoice } from '../../../lib/import/origin.ts';
import type { Answers } from '../../../lib/import/proposal/proposal.ts';
import { type OpenList, type Settling, settle } from './questions.ts';

/** Where the events of a file come from: the source of an earlier copy, or one of its own. */
interface CopyPlan {
  readonly source: Pick<OriginChoice, 'source' | 'own'>;
  readonly assumed: readonly string[]; // ids of questions whose proposed answer was taken
}

/** What is known of the file, and how a person is asked. */
interface Copying {
  readonly answers: Answers;
  readonly settling: Settling;
  readonly rehearse: (source: string) => Promise<CopyNumbers>; // what replacing the cases of a source would change
}

/** The source of a file: that of an earlier copy if a person says so, else one that holds no other file. */
export async function settleCopy(
  { context }: Opening,
  marks: CopyMarks,
  { answers: firstAnswers, settling, rehearse }: Copying,
): Promise<CopyPlan | OpenList> {
  const notes = await listSources(context);
  const copies = await earlierCopies(context, marks);
  const [latest] = copies;
  if (latest === undefined) {
    const isOther = notes.some(
      ({ name, form, isTried }) => name === FORMAT && !isTried && (form ?? marks.form) !== marks.form,
    );
    return { source: isOther ? { own: freshName(notes) } : {}, assumed: [] };
  }
  const isOpen = answeredCopy(copies, firstAnswers) === undefined;
  const asked = isOpen ? newerCopyQuestion(copies, context.site.timeZone, await rehearse(latest.name)) : [];
  const ask = (answers: Answers) => ({ questions: answeredCopy(copies, answers) === undefined ? asked : [] });
  const { proposal, answers, assumed } = await settle(ask, { [NEWER_COPY]: firstAnswers[NEWER_COPY] }, settling);
  if (proposal.questions.length > 0) return proposal;
  return { source: { source: answeredCopy(copies, answers) ?? freshName(notes) }, assumed };
}

const FORMAT = 'csv';

/** The format's name, with a number if a source is called so. */
function freshName(notes: readonly { readonly name: string }[]): string {
  let name = FORMAT;
  for (let number = 2; notes.some((note) => note.name === name); number += 1) name = `${FORMAT}-${number}`;
  return name;
}
