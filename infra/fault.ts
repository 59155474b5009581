/** An error that a person can fix: one sentence that says what is wrong and what to do. */
export class Fault extends Error {
  readonly exit: 1 | 2; // exit status of the command: 1 failed, 2 wrong usage

  constructor(sentence: string, exit: 1 | 2 = 1) {
    super(sentence);
    this.name = 'Fault';
    this.exit = exit;
  }
}
