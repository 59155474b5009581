import { plural } from './text.ts';

/** The texts of topics' own pages, some of which other editors share. */
export const topicText = {
  new: 'New topic',
  empty: 'No topics yet',
  emptyHint: 'Topics order the articles of your knowledge base.',
  name: 'Name',
  description: 'Description',
  questions: 'Customers may post questions',
  supportCenter: 'Shown in the support center',
  hidden: 'internal',
  shown: 'in the support center',
  articles: (count: number) => `${count} ${plural(count, 'article')}`,
  translations: 'Translations',
  translationsHint: 'The default language stands in the form above.',
  missing: 'missing',
  position: 'Position',
};
