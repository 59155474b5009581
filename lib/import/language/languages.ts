import cs from './languages/cs.json' with { type: 'json' };
import de from './languages/de.json' with { type: 'json' };
import en from './languages/en.json' with { type: 'json' };
import es from './languages/es.json' with { type: 'json' };
import fr from './languages/fr.json' with { type: 'json' };
import it from './languages/it.json' with { type: 'json' };
import ja from './languages/ja.json' with { type: 'json' };
import ko from './languages/ko.json' with { type: 'json' };
import nl from './languages/nl.json' with { type: 'json' };
import pl from './languages/pl.json' with { type: 'json' };
import pt from './languages/pt.json' with { type: 'json' };
import ru from './languages/ru.json' with { type: 'json' };
import sv from './languages/sv.json' with { type: 'json' };
import tr from './languages/tr.json' with { type: 'json' };
import zh from './languages/zh.json' with { type: 'json' };

type Words = readonly string[];
type WordsByMeaning = Readonly<Record<string, Words>>;

/**
 * What help desks write in one language. A word stands for whole words; with `*` at an end it goes on there. Signs of
 * Chinese, Japanese and Korean count anywhere.
 */
export interface Language {
  readonly headers: WordsByMeaning; // by role
  readonly statuses: WordsByMeaning;
  readonly priorities: WordsByMeaning;
  readonly directions: WordsByMeaning;
  readonly activities: WordsByMeaning;
  readonly ratings: WordsByMeaning;
  readonly negations: Words;
  readonly ambiguous: Readonly<Record<string, WordsByMeaning>>; // by list: a word, and what it may mean
  readonly months: readonly Words[]; // January first; empty where months are numbers
  readonly clock: { readonly am: Words; readonly pm: Words; readonly before: Words; readonly after: Words }; // before and after: words beside a time of day
  readonly dates: { readonly joiners: Words; readonly ordinals: Words }; // "2nd of March"
  readonly units: Readonly<Record<'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'hours_alone' | 'and', Words>>; // hours_alone: words that mean a time in names that say more
  readonly names: Readonly<Record<'due' | 'business' | 'of_case' | 'filler' | 'of_date', Words>>; // words in names of columns
  readonly values: Readonly<Record<'true' | 'false' | 'nobody' | 'public' | 'internal' | 'external', Words>>;
}

/** Every language; another is a file of the same form, and its line here. */
export const LANGUAGES = { en, de, fr, es, pt, it, nl, pl, sv, cs, tr, ru, ja, zh, ko } satisfies Readonly<
  Record<string, Language>
>;

/** All languages in the order above: where two say different things of a text, both count. */
export const ALL_LANGUAGES: readonly Language[] = Object.values(LANGUAGES);
