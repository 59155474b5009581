import { createRefusals } from '../../../lib/http/refusals.ts';
import { holdTimers } from '../../support/service/held-timers.ts';

const timers = holdTimers();
afterEach(timers.release);

it('logs the first refusal of a reason at once, and those of the next minute in one line', () => {
  timers.hold(true);
  const lines: unknown[] = [];
  const note = createRefusals((_level, _message, details) => lines.push(details));
  for (let request = 1; request <= 500; request += 1) note('too much to do', { request });
  note('the table is busy', { request: 501 });
  const first = [
    { reason: 'too much to do', request: 1 },
    { reason: 'the table is busy', request: 501 },
  ];
  expect(lines).toEqual(first);
  timers.pass(60_000);
  expect(lines).toEqual([...first, { reason: 'too much to do', count: 499 }]);
  note('too much to do', { request: 502 });
  expect(lines.at(-1)).toEqual({ reason: 'too much to do', request: 502 });
});
