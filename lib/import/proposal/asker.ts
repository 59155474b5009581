import { isJsonObject } from '../../json.ts';
import type { Answers, Choice, Meaning, Question } from './proposal.ts';

/** Takes answers for questions, and keeps the questions that have none. */
export interface Asker {
  /**
   * Returns the answer to a question; undefined if none fits, and then the question stays open. `isFit` checks an answer
   * to a question without choices.
   */
  readonly ask: (question: Question, isFit?: (answer: unknown) => boolean) => unknown;
  /** Like `ask` for a question about meanings: the meaning of each of its values. */
  readonly askMeanings: (question: Question) => ReadonlyMap<string, Meaning> | undefined;
  /** Returns an answer that was given without a question; undefined if there is none. */
  readonly told: (id: string) => unknown;
  readonly open: () => readonly Question[]; // the text begins with what is wrong about the answer, if there was one
  readonly ignored: () => readonly string[]; // ids of answers to questions that did not arise
}

export function newAsker(answers: Answers): Asker {
  const open: Question[] = [];
  const met = new Set<string>();
  const fail = (question: Question, sentence?: string): undefined => {
    if (open.some(({ id }) => id === question.id)) return;
    open.push(sentence === undefined ? question : { ...question, text: `${sentence} ${question.text}` });
  };
  const given = ({ id }: Pick<Question, 'id'>): unknown => {
    met.add(id);
    return Object.hasOwn(answers, id) ? answers[id] : undefined;
  };
  return {
    ask(question, isFit = () => true) {
      const answer = given(question);
      if (answer === undefined) return fail(question);
      const { choices } = question;
      const choice = choices.find((one) => isLike(one, answer));
      if (choice !== undefined) return choice.answer;
      if (choices.length === 0 && isFit(answer)) return answer;
      return fail(question, `${JSON.stringify(answer)} is no answer.`);
    },
    askMeanings(question) {
      const answer = given(question);
      if (answer === undefined) return fail(question);
      if (typeof answer !== 'object' || answer === null) return fail(question, 'Each value needs a meaning.');
      const byValue = new Map(Object.entries(answer));
      const meanings = new Map<string, Meaning>();
      for (const { value } of question.values ?? []) {
        const choice = question.choices.find((one) => isLike(one, byValue.get(value)));
        if (choice === undefined && !byValue.has(value)) return fail(question);
        if (choice === undefined) {
          return fail(question, `${JSON.stringify(byValue.get(value) ?? null)} is no meaning of "${value}".`);
        }
        if (typeof choice.answer !== 'object' || choice.answer === null) meanings.set(value, choice.answer);
      }
      return meanings;
    },
    told: (id) => given({ id }),
    open: () => open,
    ignored: () => Object.keys(answers).filter((id) => !met.has(id)),
  };
}

/** Whether a choice is meant: a text may be given as the number or the truth value that it reads as, such as 5. */
function isLike({ answer }: Choice, given: unknown): boolean {
  if (typeof given === 'object' && given !== null) return canonical(answer) === canonical(given);
  const isBare = typeof given === 'number' || typeof given === 'boolean';
  return answer === (isBare && typeof answer === 'string' ? String(given) : given);
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    isJsonObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
