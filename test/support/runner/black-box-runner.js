import Runner from './runner.js';

/** Reports tests as skipped that failed only because credentials alone do not suffice for them (black-box.ts). */
export default class BlackBoxRunner extends Runner {
  runTests(tests, watcher, onStart, ...[onResult, onFailure]) {
    const onSeen = (test, result) => onResult(test, skipWhatNeedsMore(result));
    return super.runTests(tests, watcher, onStart, onSeen, onFailure);
  }
}

const needsMore = ({ failureMessages }) => /^ +NeedsMore: /m.test(failureMessages.join('\n'));
const isHook = ({ title }) => title === '(beforeAll)';

/** The result without failures that need more, and without those of tests whose first hook needs more. */
function skipWhatNeedsMore(result) {
  const unprepared = result.testResults.filter((one) => isHook(one) && needsMore(one));
  const isUnprepared = ({ ancestorTitles }) =>
    unprepared.some((hook) => hook.ancestorTitles.every((title, depth) => ancestorTitles[depth] === title));
  const testResults = result.testResults
    .filter((one) => !unprepared.includes(one))
    .map((one) =>
      one.status === 'failed' && (needsMore(one) || isUnprepared(one))
        ? { ...one, status: 'pending', failureMessages: [] }
        : one,
    );
  const count = (status) => testResults.filter((one) => one.status === status).length;
  const failed = testResults.filter(({ status }) => status === 'failed');
  return {
    ...result,
    testResults,
    numFailingTests: failed.length,
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    failureMessage: failed.flatMap(({ failureMessages }) => failureMessages).join('\n'),
  };
}
