import type { DemoRecord } from './members.ts';

const BRANDS = ['Acme Outdoor', 'Acme Kitchen', 'Acme Kids'];

interface DemoTopic {
  readonly name: string;
  readonly de: string;
  readonly ja?: string;
  readonly description: string | null;
  readonly brands: readonly number[];
  readonly articles: readonly string[];
  readonly in_support_center: boolean;
}

const TOPICS: readonly DemoTopic[] = [
  {
    name: 'Orders and shipping',
    de: 'Bestellung und Versand',
    ja: '注文と配送',
    description: 'Where an order is and when it comes',
    brands: [1, 2],
    articles: ['Track your order', 'Change a delivery address', 'What shipping costs', 'A parcel is damaged'],
    in_support_center: true,
  },
  {
    name: 'Billing',
    de: 'Abrechnung',
    ja: '請求',
    description: 'Invoices, payments and refunds',
    brands: [1],
    articles: ['Read an invoice', 'Change how you pay', 'When a refund arrives'],
    in_support_center: true,
  },
  {
    name: 'Returns',
    de: 'Rückgabe',
    description: null,
    brands: [2],
    articles: ['Send something back', 'Exchange a size'],
    in_support_center: true,
  },
  {
    name: 'Your account',
    de: 'Ihr Konto',
    ja: 'アカウント',
    description: 'Sign in, passwords and data',
    brands: [],
    articles: ['Reset a password', 'Delete an account'],
    in_support_center: true,
  },
  {
    name: 'Notes for agents',
    de: 'Notizen für das Team',
    description: 'Not shown to customers',
    brands: [],
    articles: ['How to escalate'],
    in_support_center: false,
  },
];

/** The subjects of the first articles in German. */
const ARTICLES_IN_GERMAN = ['Bestellung verfolgen', 'Lieferadresse ändern', 'Was der Versand kostet'];

/** Brands, topics with translations and articles. `created` is an ISO time. */
export function knowledge(created: string): DemoRecord[] {
  const brands = BRANDS.map((name, index) => ({ type: 'brand', id: index + 1, name, created_at: created }));
  return [
    ...brands,
    ...TOPICS.flatMap((topic, index) => topicRecords(topic, index + 1, created)),
    ...articles(created),
  ];
}

function topicRecords({ name, de, ja, articles: _, ...fields }: DemoTopic, id: number, created: string): DemoRecord[] {
  const translation = (locale: string, translated: string) => ({
    type: 'topic_translation',
    topic: id,
    locale,
    name: translated,
    created_at: created,
  });
  return [
    {
      type: 'topic',
      id,
      name,
      position: id,
      allow_questions: true,
      created_at: created,
      updated_at: created,
      ...fields,
    },
    translation('de', de),
    ...(ja === undefined ? [] : [translation('ja', ja)]),
  ];
}

function articles(created: string): DemoRecord[] {
  const all = TOPICS.flatMap(({ articles, brands, in_support_center }, topic) =>
    articles.map((subject) => ({ subject, topics: [topic + 1], brands, in_support_center })),
  );
  const records = all.map((article, index) => ({
    type: 'article',
    id: index + 1,
    body: `${article.subject}: what to do, step by step, and whom to ask when it does not help.`,
    publish_at: created,
    created_at: created,
    updated_at: created,
    ...article,
  }));
  const translations = ARTICLES_IN_GERMAN.map((subject, index) => ({
    type: 'article_translation',
    article: index + 1,
    locale: 'de',
    subject,
    body: `${subject}: was zu tun ist, Schritt für Schritt, und wen man fragt, wenn es nicht hilft.`,
    created_at: created,
    updated_at: created,
  }));
  return [...records, ...translations];
}

interface DemoMacro {
  readonly id: number;
  readonly name: string;
  readonly folders: readonly string[];
}

/** The macros. The first has an action of every type, so that one list shows them all. */
export const DEMO_MACROS: readonly [DemoMacro, ...DemoMacro[]] = [
  { id: 1, name: 'Everything at once', folders: ['Examples'] },
  { id: 2, name: 'Ask for the order number', folders: ['Orders'] },
  { id: 3, name: 'Refund', folders: ['Billing', 'Orders'] },
  { id: 4, name: 'Hand to the technicians', folders: [] },
];

type Action = readonly [macro: number, type: string, value: unknown];

const ACTIONS: readonly Action[] = [
  [1, 'set-case-description', 'Looked at by the demo macro'],
  [1, 'set-case-labels', ['question']],
  [1, 'append-case-labels', ['praise']],
  [1, 'set-case-priority', '8'],
  [1, 'set-case-status', 'pending'],
  [1, 'set-case-agent', '1'],
  [1, 'set-case-group', '2'],
  [1, 'append-case-article', '1'],
  [1, 'set-case-quick-reply', 'Thank you for writing. We are looking into it.'],
  [1, 'set-case-outbound-email-subject', 'About your request'],
  [1, 'set-case-language', 'en_us'],
  [1, 'set-case-custom-plan', 'team'],
  [1, 'set-case-note', 'Done by a macro'],
  [2, 'set-case-quick-reply', 'Which order is it about?'],
  [2, 'set-case-status', 'pending'],
  [3, 'append-case-labels', ['refund']],
  [3, 'set-case-quick-reply', 'Your refund is on its way.'],
  [3, 'set-case-status', 'resolved'],
  [4, 'set-case-group', '3'],
  [4, 'set-case-priority', '7'],
];

/** The macros with their actions. */
export function macros(): DemoRecord[] {
  return [
    ...DEMO_MACROS.map((macro) => ({ type: 'macro', position: macro.id, enabled: true, description: null, ...macro })),
    ...ACTIONS.map(([macro, action, value], index) => ({
      type: action, // the action's own type: in a line of a file it follows the record's, and JSON keeps the second
      id: index + 1,
      macro,
      value,
      enabled: true,
    })),
  ];
}
