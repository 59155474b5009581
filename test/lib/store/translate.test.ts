import { Failure } from '../../../lib/errors.ts';
import { Busy, ConditionFailed, Refused } from '../../../lib/store/faults.ts';
import { translate } from '../../../lib/store/translate.ts';

const sdkError = (name: string, more = {}): Error => Object.assign(new Error(name), { name, ...more });
const cancelled = (...codes: readonly string[]): Error =>
  sdkError('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) });

describe('what the SDK throws', () => {
  it.each([['TransactionConflict', 'None'], ['None', 'ThrottlingError'], ['ProvisionedThroughputExceeded']])(
    'is passing where a transaction met %s',
    (...codes) => {
      expect(translate(cancelled(...codes))).toBeInstanceOf(Busy);
    },
  );

  it('is a failed condition where one of a transaction did not hold, whatever else it met', () => {
    const error = translate(cancelled('TransactionConflict', 'ConditionalCheckFailed', 'None'));
    expect(error).toBeInstanceOf(ConditionFailed);
    expect(error).toMatchObject({ failed: [1] });
  });

  it.each([
    sdkError('ThrottlingException'),
    sdkError('TimeoutError'),
    sdkError('Error', { code: 'ECONNRESET' }),
    sdkError('UnknownError', { $metadata: { httpStatusCode: 502 } }),
  ])('is an outage where it is %s', (error) => {
    const failure = translate(error);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({ kind: 'unavailable', headers: { 'Retry-After': '1' }, cause: error });
  });

  it.each([cancelled('ValidationError', 'None'), sdkError('ValidationException')])(
    'is a refusal where it is %s',
    (error) => {
      expect(translate(error)).toBeInstanceOf(Refused);
      expect(translate(error)).toMatchObject({ cause: error });
    },
  );

  it.each([
    sdkError('ResourceNotFoundException', { $metadata: { httpStatusCode: 400 } }),
    new TypeError('a mistake of ours'),
  ])('stays what it is where it is %s', (error) => {
    expect(translate(error)).toBe(error);
  });
});
