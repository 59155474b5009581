/** A topic as the API shows it. */
export interface Topic {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly position: number;
  readonly allow_questions: boolean;
  readonly in_support_center: boolean;
  readonly _links: { readonly articles: { readonly count: number } };
}

/** A translation of a topic as the API shows it. */
export interface Translation {
  readonly locale: string;
  readonly name: string;
  readonly description: string | null;
}
