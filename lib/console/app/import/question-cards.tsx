import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  type Answers,
  choiceOf,
  effectOf,
  firstAnswers,
  type Meaning,
  openOf,
  type Question,
  type QuestionValue,
  valuesOf,
} from '../../model/questions.ts';
import { importText } from '../../model/text/import-text.ts';
import { useApp } from '../context.tsx';
import { Button } from '../ui/ui.tsx';
import { AnswerPicker } from './answer-picker.tsx';
import { PreviewRows } from './preview-rows.tsx';

interface QuestionCardsProps {
  readonly questions: readonly Question[];
  readonly header: readonly string[]; // of the rows of examples
  readonly onAnswer: (answers: Answers) => unknown;
}

/** What a file leaves open, as one card a question. The answers are sent together: some lead to the next questions. */
export function QuestionCards({ questions, header, onAnswer }: QuestionCardsProps): JSX.Element {
  const [answers, setAnswers] = useState<Answers>(() => firstAnswers(questions));
  const open = openOf(questions, answers);
  return (
    <section class="stack" aria-labelledby="questions">
      <h2 id="questions">{importText.questions(questions.length)}</h2>
      <p class="quiet">{importText.questionsHint}</p>
      {questions.map((question) => (
        <QuestionCard
          key={question.id}
          question={question}
          header={header}
          answers={answers}
          onChange={(answer) => setAnswers({ ...answers, [question.id]: answer })}
        />
      ))}
      <p class="row">
        <Button kind="primary" disabled={open.length > 0} onClick={() => onAnswer(answers)}>
          {importText.answer}
        </Button>
        {open.length > 0 && <span class="quiet">{importText.openQuestions(open.length)}</span>}
      </p>
      {open.length > 0 && (
        <ul class="plain quiet">
          {open.map(({ id, text: asked }) => (
            <li key={id}>{asked}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface CardProps {
  readonly question: Question;
  readonly answers: Answers;
  readonly onChange: (answer: unknown) => void;
}

function QuestionCard({ question, header, ...rest }: CardProps & Pick<QuestionCardsProps, 'header'>): JSX.Element {
  const { id, text: asked, choices, examples = [] } = question;
  const Control = valuesOf(question).length > 0 ? Values : choices.length > 0 ? Choices : FreeText;
  return (
    <article class="card question" aria-labelledby={`${id} asked`}>
      <h3 id={`${id} asked`}>{asked}</h3>
      <Control question={question} {...rest} />
      {examples.length > 0 && <Examples asked={asked} header={header} rows={examples} column={question.column} />}
    </article>
  );
}

/** One of some answers, as buttons. */
const Choices = ({ question: { id, values, choices, proposed }, answers, onChange }: CardProps): JSX.Element => (
  <div class="row" role="group" aria-labelledby={`${id} asked`}>
    {values && <ValueList values={values} />}
    {choices.map((choice, index) => (
      <button
        key={index}
        type="button"
        class="button choice"
        aria-pressed={Object.hasOwn(answers, id) && choiceOf([choice], answers[id]) === 0}
        onClick={() => onChange(choice.answer)}
      >
        {choice.text}
        {choiceOf([choice], proposed) === 0 && <span class="tag">{importText.suggested}</span>}
      </button>
    ))}
  </div>
);

/** The values that a choice is about, with their rows. */
function ValueList({ values }: { readonly values: readonly QuestionValue[] }): JSX.Element {
  const { format } = useApp();
  const shown = values.map(({ value, rows }) => `${value}: ${importText.rows(rows, format.count(rows))}`);
  return (
    <p class="quiet small" dir="auto">
      {shown.join(' · ')}
    </p>
  );
}

/** An answer in words; a zone is chosen from a list. */
function FreeText({ question: { id, about, proposed }, answers, onChange }: CardProps): JSX.Element {
  const shown = String(answers[id] ?? '');
  const zones = about === 'zone' ? ['UTC', ...Intl.supportedValuesOf('timeZone')] : [];
  return (
    <div class="row">
      <input
        class="input"
        aria-labelledby={`${id} asked`}
        list={zones.length > 0 ? `${id} list` : undefined}
        value={shown}
        placeholder={typeof proposed === 'string' ? proposed : ''}
        onInput={({ currentTarget: { value } }) => onChange(value)}
      />
      <datalist id={`${id} list`}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      {typeof proposed === 'string' && (
        <Button onClick={() => onChange(proposed)}>{importText.takeIt(proposed)}</Button>
      )}
    </div>
  );
}

/** A meaning for each value, with the numbers that hang on it. */
function Values({ question, answers, onChange }: CardProps): JSX.Element {
  const { id, choices } = question;
  const { format } = useApp();
  const given = Object.entries(answers[id] ?? {});
  return (
    <div class="meanings">
      {valuesOf(question).map((one) => {
        const meaning: Meaning | undefined = given.find(([value]) => value === one.value)?.[1];
        return (
          <AnswerPicker
            key={one.value}
            label={one.value === '' ? importText.emptyCell : one.value}
            hint={importText.rows(one.rows, format.count(one.rows))}
            choices={choices}
            answer={meaning}
            none={importText.chooseOne}
            onAnswer={(answer = null) => onChange({ ...Object.fromEntries(given), [one.value]: answer })}
          >
            <Effect value={one} meaning={meaning ?? null} />
          </AnswerPicker>
        );
      })}
    </div>
  );
}

/** What hangs on the meaning of a value: the numbers that it leads to, and the times that its rows have. */
function Effect({ value, meaning }: { readonly value: QuestionValue; readonly meaning: Meaning }): JSX.Element {
  const { format, names } = useApp();
  const numbers = effectOf(value, meaning).map(([field, number]) => `${names.field(field)}: ${format.count(number)}`);
  const filled = Object.entries(value.filled ?? {}).map(([column, rows]) =>
    importText.filled(column, format.count(rows), format.count(value.rows)),
  );
  return <p class="quiet small">{[...numbers, ...filled].join(' · ')}</p>;
}

interface ExamplesProps {
  readonly asked: string; // the question, which tells this table from those of others
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly column: string | undefined; // the one that the question is about
}

const SHOWN = 3; // rows

const Examples = ({ asked, header, rows, column }: ExamplesProps): JSX.Element => (
  <details open>
    <summary>{importText.examples}</summary>
    <div class="scroll" role="region" aria-label={`${importText.examples}: ${asked}`} tabIndex={0}>
      <table class="preview">
        <thead>
          <tr>
            {header.map((name, index) => (
              <th key={index} scope="col" class={name === column ? '' : 'unused'} dir="auto">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <PreviewRows rows={rows.slice(0, SHOWN)} />
      </table>
    </div>
  </details>
);
