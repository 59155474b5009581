import { describeFault } from '../../../infra/cli/explain.ts';
import { DISK_FULL } from '../../../infra/local/table/writing.ts';
import { notFound, oneFault } from '../../../lib/errors.ts';
import { unavailable } from '../../../lib/store/faults.ts';

describe('the message of a fault', () => {
  it('tells a full disk from a table that does not answer', () => {
    expect(describeFault(unavailable(new Error(DISK_FULL)))).toBe(
      'The disk of the data folder is full: make room, then run the command again.',
    );
    expect(describeFault(unavailable())).toMatch(/^The table does not answer: /);
  });

  it('is what the route that refuses says of it', () => {
    expect(describeFault(notFound('topic 7'))).toBe('There is no topic 7.');
    expect(describeFault(oneFault('taken', ['name'], 'A label is called so.'))).toBe('A label is called so.');
  });
});
