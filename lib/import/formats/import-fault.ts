/**
 * Stops an import because of a user's mistake. The message says where it is and what to do; it is shown without a
 * stack.
 */
export class ImportFault extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'ImportFault';
  }
}
