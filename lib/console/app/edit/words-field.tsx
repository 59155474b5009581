import type { JSX } from 'preact';
import { Chip } from '../report/chip.tsx';
import { TextField } from '../ui/fields.tsx';
import { PickList, Popover } from '../ui/ui.tsx';

interface WordsFieldProps {
  readonly label: string;
  readonly words: readonly string[];
  readonly known: readonly string[]; // to choose from
  readonly add: string; // name of the button that adds one
  readonly other: string; // name of the input for one that is not known
  readonly otherHint: string;
  readonly error: string | undefined;
  readonly onChange: (words: readonly string[]) => void;
}

/** Words that are removed one by one, and chosen from those that are known; others can be typed. */
export function WordsField(props: WordsFieldProps): JSX.Element {
  const { label, words, known, add, other, otherHint, error, onChange } = props;
  const toggle = (word: string): void =>
    onChange(words.includes(word) ? words.filter((each) => each !== word) : [...words, word]);
  const type = (event: KeyboardEvent & { readonly currentTarget: HTMLInputElement }): void => {
    const word = event.currentTarget.value.trim();
    if (event.key !== 'Enter') return;
    if (word !== '' && !words.includes(word)) onChange([...words, word]);
    event.currentTarget.value = '';
  };
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <p class="row">
        {words.map((word) => (
          <Chip key={word} label={word} onRemove={() => toggle(word)} />
        ))}
        <Popover label="+" name={`${add}: ${label}`} kind="chip add">
          {() => (
            <>
              <PickList
                label={label}
                options={known.map((name) => ({ id: name, name }))}
                chosen={words}
                onPick={toggle}
              />
              <TextField label={other} hint={otherHint} input={{ onKeyDown: type }} />
            </>
          )}
        </Popover>
      </p>
      {error && (
        <p class="fault small" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
