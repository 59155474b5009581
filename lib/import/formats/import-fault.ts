/** Stops an import for a person's mistake: one sentence that says where and what to do. Never shown with a stack. */
export class ImportFault extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'ImportFault';
  }
}
