import type { ComponentChildren, JSX } from 'preact';
import { type AnswerChoice, choiceOf } from '../../model/questions.ts';
import { Choice } from '../ui/fields.tsx';

interface AnswerPickerProps {
  readonly label: string;
  readonly hint?: string;
  readonly choices: readonly AnswerChoice[];
  readonly answer: unknown;
  readonly none?: string; // shown while the answer is none of them
  readonly onAnswer: (answer: unknown) => void;
  readonly children?: ComponentChildren; // below it
}

/** A choice of one of the answers to a question about a file. */
export const AnswerPicker = ({ choices, answer, none, onAnswer, ...rest }: AnswerPickerProps): JSX.Element => (
  <Choice
    {...rest}
    options={[
      ...(none === undefined ? [] : [['-1', none, true] as const]),
      ...choices.map((choice, index) => [String(index), choice.text] as const),
    ]}
    value={String(choiceOf(choices, answer))}
    onChange={(index) => onAnswer(choices[Number(index)]?.answer)}
  />
);
