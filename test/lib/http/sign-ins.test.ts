import { createSignIns } from '../../../lib/http/sign-ins.ts';
import { holdTimers } from '../../support/service/held-timers.ts';

const timers = holdTimers();
afterEach(timers.release);

it('logs sign-ins in sum, a line a minute and site, and notes the refused ones: the first at once', async () => {
  timers.hold(true);
  const lines: unknown[] = [];
  const noted: unknown[] = [];
  const note = async (...said: [site: string, refused: number]) => void noted.push(said);
  const signIns = createSignIns((level, message, details) => lines.push([level, message, details]), note);
  for (let n = 0; n < 3; n += 1) await signIns.refused('acme');
  expect(noted).toEqual([['acme', 1]]);
  signIns.succeeded('acme');
  signIns.succeeded('other');
  expect(lines).toEqual([]);
  timers.pass(60_000);
  expect(lines).toEqual([
    ['warn', 'sign-ins', { site: 'acme', succeeded: 1, refused: 3 }],
    ['info', 'sign-ins', { site: 'other', succeeded: 1, refused: 0 }],
  ]);
  expect(noted).toEqual([
    ['acme', 1],
    ['acme', 2],
  ]);
  await signIns.refused('acme');
  timers.pass(60_000);
  expect(noted.slice(2)).toEqual([['acme', 1]]);
});
