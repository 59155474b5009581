import { fileMemoryOf, peakMemoryOf } from './process-memory.ts';

describe('the memory of a process', () => {
  (process.platform === 'linux' ? it : it.skip)('is at its peak more than its pages of files, which are some', () => {
    expect(fileMemoryOf(process.pid)).toBeGreaterThan(1_000_000);
    expect(peakMemoryOf(process.pid)).toBeGreaterThan(fileMemoryOf(process.pid));
  });

  it('is none where the process is gone', () => {
    expect([peakMemoryOf(-1), fileMemoryOf(-1)]).toEqual([0, 0]);
  });
});
