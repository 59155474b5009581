import type {
  Answers,
  Choice,
  ColumnMeanings,
  ColumnUnit,
  Meaning,
  Question,
  ShownProposal,
} from '../../import/proposal/proposal.ts';

export type { Answers, Choice as AnswerChoice, ColumnMeanings, ColumnUnit, Meaning, Question, ShownProposal };

/** A value that a question is about. */
export type QuestionValue = NonNullable<Question['values']>[number];

/** A choice's place among the choices that is the same as an answer; -1 for none. */
export const choiceOf = (choices: readonly Choice[], answer: unknown): number =>
  choices.findIndex((choice) => JSON.stringify(choice.answer) === JSON.stringify(answer));

/** The values of a question whose answer is a meaning for each; none where they only stand beside the choices. */
export const valuesOf = ({ about, values = [] }: Question): readonly QuestionValue[] =>
  about === 'meaning' ? values : [];

/** The answers that stand at first: the proposed meanings of values. Whatever else is open, a person chooses; a value of which nothing is proposed would be dropped unasked. */
export const firstAnswers = (questions: readonly Question[]): Answers =>
  Object.fromEntries(
    questions.flatMap((question) => {
      const proposed = valuesOf(question).flatMap((one) => (one.proposed === null ? [] : [[one.value, one.proposed]]));
      return proposed.length === 0 ? [] : [[question.id, Object.fromEntries(proposed)]];
    }),
  );

/** The questions that have no answer yet, or none for some of their values. */
export const openOf = (questions: readonly Question[], answers: Answers): readonly Question[] =>
  questions.filter((question) => {
    const answer = answers[question.id];
    const isWhole = (table: object): boolean => valuesOf(question).every(({ value }) => Object.hasOwn(table, value));
    return !Object.hasOwn(answers, question.id) || (isTable(answer) && !isWhole(answer));
  });

/** The numbers that an answer to a value leads to, by field. */
export const effectOf = ({ effect = {} }: QuestionValue, answer: Meaning): (readonly [string, number])[] =>
  Object.entries(effect).flatMap(([field, byAnswer]) => {
    const number = byAnswer[String(answer)];
    return number === undefined ? [] : [[field, number] as const];
  });

/** What a column is that becomes a custom field, beside the roles. */
export const FIELD = 'field';

/** The role that a column has after the given answers, or `FIELD`; undefined for none. */
export const roleAfter = (proposal: ShownProposal, answers: Answers, column: string): string | undefined =>
  proposal.roles.find(({ role, column: found }) => columnAfter(answers, role, found) === column)?.role ??
  (fieldAfter(proposal, answers, column) === undefined ? undefined : FIELD);

/** The name of the custom field that a column becomes; undefined if it becomes none. */
export function fieldAfter({ fields }: ShownProposal, answers: Answers, column: string): string | undefined {
  const told = answers[`field:${column}`];
  if (told !== undefined) return typeof told === 'string' ? told : undefined;
  return fields.find((one) => one.column === column)?.name;
}

/** The answers that give a column's custom field a name. */
export const withField = (answers: Answers, column: string, name: string): Answers => ({
  ...answers,
  [`field:${column}`]: name.trim() === '' ? column : name.trim(),
});

/** What the file says against the role that was chosen for a column; undefined for nothing. */
export const againstRole = ({ roles }: ShownProposal, role: string | undefined, column: string): string | undefined =>
  roles.find((found) => found.role === role && found.column === column)?.against;

const columnAfter = (answers: Answers, role: string, found: string | null): unknown =>
  Object.hasOwn(answers, `role:${role}`) ? answers[`role:${role}`] : found;

/** The answers that give a column a role, or none; it loses the role that it had. */
export function withRole(proposal: ShownProposal, answers: Answers, column: string, role: string | undefined): Answers {
  const before = roleAfter(proposal, answers, column);
  const freed = before === undefined || before === FIELD ? answers : { ...answers, [`role:${before}`]: null };
  if (role === FIELD) return withField(freed, column, '');
  const isField = before === FIELD || role === undefined; // a column without a role would be kept
  const cleared = isField ? { ...freed, [`field:${column}`]: null } : freed;
  return role === undefined ? cleared : { ...cleared, [`role:${role}`]: column };
}

/** The meaning that a value has after the given answers. */
export function meaningAfter({ column, values }: ColumnMeanings, answers: Answers, value: string): unknown {
  const given = meaningsIn(answers, column)?.[value];
  return given === undefined ? values.find((one) => one.value === value)?.meaning : given;
}

/** The answers that give one value of a column a meaning; those of its other values stay, and what has none is asked. */
export function withMeaning(meanings: ColumnMeanings, answers: Answers, value: string, meaning: unknown): Answers {
  const all = meanings.values.flatMap((one) => {
    const is = meaningAfter(meanings, answers, one.value);
    return is === undefined ? [] : [[one.value, is] as const];
  });
  return { ...answers, [`meaning:${meanings.column}`]: { ...Object.fromEntries(all), [value]: meaning } };
}

const isTable = (answer: unknown): answer is Readonly<Record<string, unknown>> =>
  typeof answer === 'object' && answer !== null;

function meaningsIn(answers: Answers, column: string): Readonly<Record<string, unknown>> | undefined {
  const given = answers[`meaning:${column}`];
  return isTable(given) ? given : undefined;
}
