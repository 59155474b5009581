/** What a value means: a status, direction, activity, priority or score; null for nothing. */
export type Meaning = string | number | boolean | null;

export interface AnswerChoice {
  readonly answer: unknown;
  readonly text: string;
}

/** A value that a question is about. */
export interface QuestionValue {
  readonly value: string;
  readonly rows: number;
  readonly filled?: Readonly<Record<string, number>>; // rows of the value that have a time, by column
  readonly proposed: Meaning;
  readonly effect?: Readonly<Record<string, Readonly<Record<string, number>>>>; // field → answer → its number
}

/** What a file leaves open (docs/design/first-contact.md). */
export interface Question {
  readonly id: string;
  readonly about: string;
  readonly column?: string;
  readonly text: string;
  readonly values?: readonly QuestionValue[];
  readonly choices: readonly AnswerChoice[]; // empty: any text, such as a zone
  readonly proposed: unknown;
  readonly examples?: readonly (readonly string[])[]; // rows of the file
}

interface RoleFinding {
  readonly role: string;
  readonly label: string;
  readonly column: string | null;
  readonly state: 'proven' | 'likely' | 'open';
  readonly why: string;
}

export interface ColumnMeanings {
  readonly column: string;
  readonly choices: readonly AnswerChoice[];
  readonly values: readonly { readonly value: string; readonly rows: number; readonly meaning?: Meaning }[];
}

/** The unit of a column of durations. */
export interface ColumnUnit {
  readonly column: string;
  readonly choices: readonly AnswerChoice[];
  readonly unit: string | null;
}

/** What a CSV without a mapping was understood as. */
export interface Proposal {
  readonly kind: string | null;
  readonly columns: readonly string[];
  readonly roles: readonly RoleFinding[];
  readonly meanings: readonly ColumnMeanings[];
  readonly units: readonly ColumnUnit[];
}

/** Answers by the ids of questions. */
export type Answers = Readonly<Record<string, unknown>>;

/** A choice's place among the choices that is the same as an answer; -1 for none. */
export const choiceOf = (choices: readonly AnswerChoice[], answer: unknown): number =>
  choices.findIndex((choice) => JSON.stringify(choice.answer) === JSON.stringify(answer));

/** The answers that stand at first: the proposed meanings of values. Whatever else is open, a person chooses. */
export const firstAnswers = (questions: readonly Question[]): Answers =>
  Object.fromEntries(
    questions.flatMap(({ id, values }) =>
      values === undefined ? [] : [[id, Object.fromEntries(values.map(({ value, proposed }) => [value, proposed]))]],
    ),
  );

/** The number of questions that have no answer yet. */
export const openOf = (questions: readonly Question[], answers: Answers): number =>
  questions.filter(({ id }) => !Object.hasOwn(answers, id)).length;

/** The numbers that an answer to a value leads to, by field. */
export const effectOf = ({ effect = {} }: QuestionValue, answer: Meaning): (readonly [string, number])[] =>
  Object.entries(effect).flatMap(([field, byAnswer]) => {
    const number = byAnswer[String(answer)];
    return number === undefined ? [] : [[field, number] as const];
  });

/** The role that a column has after the given answers; undefined for none. */
export const roleAfter = ({ roles }: Proposal, answers: Answers, column: string): string | undefined =>
  roles.find(({ role, column: found }) => columnAfter(answers, role, found) === column)?.role;

const columnAfter = (answers: Answers, role: string, found: string | null): unknown =>
  Object.hasOwn(answers, `role:${role}`) ? answers[`role:${role}`] : found;

/** The answers that give a column a role, or none; it loses the role that it had. */
export function withRole(proposal: Proposal, answers: Answers, column: string, role: string | undefined): Answers {
  const before = roleAfter(proposal, answers, column);
  const cleared = before === undefined ? answers : { ...answers, [`role:${before}`]: null };
  return role === undefined ? cleared : { ...cleared, [`role:${role}`]: column };
}

/** The meaning that a value has after the given answers. */
export function meaningAfter({ column, values }: ColumnMeanings, answers: Answers, value: string): unknown {
  const given = meaningsIn(answers, column)?.[value];
  return given === undefined ? values.find((one) => one.value === value)?.meaning : given;
}

/** The answers that give one value of a column a meaning; those of its other values stay. */
export function withMeaning(meanings: ColumnMeanings, answers: Answers, value: string, meaning: unknown): Answers {
  const all = meanings.values.map((one) => [one.value, meaningAfter(meanings, answers, one.value) ?? null] as const);
  return { ...answers, [`meaning:${meanings.column}`]: { ...Object.fromEntries(all), [value]: meaning } };
}

const isTable = (answer: unknown): answer is Readonly<Record<string, unknown>> =>
  typeof answer === 'object' && answer !== null;

function meaningsIn(answers: Answers, column: string): Readonly<Record<string, unknown>> | undefined {
  const given = answers[`meaning:${column}`];
  return isTable(given) ? given : undefined;
}
