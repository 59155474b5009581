/** What counts the reports of a site: the words of each choice, and what it means. */
const ENGINES = {
  auto: {
    name: 'What suits the report',
    meaning:
      'Large reports are counted by the warehouse, where there is one, all others by a scan. Numbers are the same.',
  },
  scan: {
    name: 'Always a scan',
    meaning: 'The service reads the history itself. Reports that are too large for that end without an answer.',
  },
  warehouse: {
    name: 'Always the warehouse',
    meaning: 'Each report asks the warehouse, which takes seconds and is paid by what it reads. The service needs one.',
  },
} as const;

export const ENGINE_LABEL = 'Reports are counted by';

const isEngine = (word: string): word is keyof typeof ENGINES => Object.hasOwn(ENGINES, word);

/** What a choice means; nothing of one that this page does not know. */
export const engineMeaning = (word: string): string => (isEngine(word) ? ENGINES[word].meaning : '');

export const engineName = (word: string): string => (isEngine(word) ? ENGINES[word].name : word);

/** The choices, as a list of options takes them. */
export const ENGINE_OPTIONS = Object.entries(ENGINES).map(([word, { name }]) => [word, name] as const);
