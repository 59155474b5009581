import { PassThrough } from 'node:stream';
import { describeStep, elapsed, openProgress } from '../../../infra/cli/progress.ts';

const STEP = { doing: 'reading', done: 450, total: 1_000, events: 61_000 };

describe('describeStep', () => {
  it('tells share, rate and time left', () => {
    expect(describeStep(STEP, 10)).toBe('reading 45 %, 61,000 events, 6,100/s, 13 s left');
  });

  it('leaves out what nobody knows', () => {
    expect(describeStep({ ...STEP, total: undefined }, 10)).toBe('reading, 61,000 events, 6,100/s');
    expect(describeStep({ ...STEP, done: 0, events: 0 }, 0)).toBe('reading 0 %, 0 events');
  });
});

describe('duration', () => {
  it('reads like a person would say it', () => {
    expect([0, 59.2, 125, 7_440].map(elapsed)).toEqual(['0 s', '1 min 0 s', '2 min 5 s', '2 h 4 min']);
  });
});

describe('openProgress', () => {
  it('writes a plain line now and then where there is no terminal', () => {
    const screen = Object.assign(new PassThrough(), { isTTY: false });
    let now = 0;
    const progress = openProgress(screen, () => now);
    for (now = 0; now <= 12_000; now += 1_000) progress.show({ ...STEP, done: now / 20, events: now });
    now = 14_000;
    progress.show({ doing: 'storing', done: 3_000, total: 12_000, events: 3_000 });
    progress.say('a line');
    now = 16_000;
    progress.show({ doing: 'storing', done: 8_000, total: 12_000, events: 8_000 });
    progress.end();
    expect(String(screen.read())).toBe(
      [
        'reading 25 %, 5,000 events, 1,000/s, 15 s left',
        'reading 50 %, 10,000 events, 1,000/s, 10 s left',
        'a line',
        'storing 66 %, 8,000 events, 2,000/s, 2 s left',
        '',
      ].join('\n'),
    );
  });

  it('draws a bar on a terminal and lets lines pass', () => {
    const screen = Object.assign(new PassThrough(), { isTTY: true, cursorTo: () => true, clearLine: () => true });
    const progress = openProgress(screen, () => 0);
    progress.show(STEP);
    progress.say('a line');
    progress.end();
    const shown = String(screen.read());
    expect(shown).toContain('reading 45 %, 61,000 events');
    expect(shown).toContain('a line\n');
  });
});
