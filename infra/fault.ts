/** A person's mistake, or something that a person must put right: one sentence that says where and what to do. */
export class Fault extends Error {
  readonly exit: 1 | 2; // of the command: 1 failed, 2 used wrongly

  constructor(sentence: string, exit: 1 | 2 = 1) {
    super(sentence);
    this.name = 'Fault';
    this.exit = exit;
  }
}
