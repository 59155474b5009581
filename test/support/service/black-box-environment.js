import { TestEnvironment } from 'jest-environment-node';

const needsMore = (error) => [error].flat().some((one) => one?.name === 'NeedsMore');

/** Reports tests as skipped that failed only because credentials alone do not suffice for them (black-box.ts). */
export default class BlackBoxEnvironment extends TestEnvironment {
  handleTestEvent({ name, test }) {
    if (name !== 'test_done' || test.errors.length === 0 || !test.errors.every(needsMore)) return;
    test.errors = [];
    test.status = 'skip';
  }
}
