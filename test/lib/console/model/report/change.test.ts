import { createFormat } from '../../../../../lib/console/model/format.ts';
import { changeOf, changeText } from '../../../../../lib/console/model/report/change.ts';
import type { ByChance } from '../../../../../lib/console/model/report/report.ts';
import { defineField } from '../../../../../lib/insights/definitions/definitions.ts';
import type { FieldName } from '../../../../../lib/insights/definitions/fields.ts';

const changed = (now: number | null, before: number | null, name: FieldName, byChance: ByChance = false) =>
  changeOf(now, before, byChance, defineField(name));

describe('a change', () => {
  it('of a count is a share of the earlier number, and there is none of nothing', () => {
    expect(changed(1100, 1000, 'resolved_cases')).toEqual({ kind: 'share', amount: 0.1, verdict: 'better' });
    expect(changed(900, 1000, 'resolved_cases')).toEqual({ kind: 'share', amount: -0.1, verdict: 'worse' });
    expect(changed(90, 100, 'reply_time')?.verdict).toBe('better');
    expect(
      [
        [5, 0],
        [null, 3],
        [3, null],
      ].map(([now = null, before = null]) => changed(now, before, 'resolved_cases')),
    ).toEqual([undefined, undefined, undefined]);
  });

  it('of a rate is in points, also from 0', () => {
    expect(changed(12.34, 10, 'case_reopen_rate')).toEqual({ kind: 'points', amount: 2.3, verdict: 'worse' });
    expect(changed(5, 0, 'csat_positive_rate')).toEqual({ kind: 'points', amount: 5, verdict: 'better' });
  });

  it('is said in words, of which those of chance come before the size', () => {
    const said = (before: number, byChance: boolean | null, unit = '') => {
      const change = changeOf(12, before, byChance, { unit, better: 'up' });
      return change && changeText(change, createFormat('en'));
    };
    expect([said(10, false), said(16, false), said(10, true), said(10, null)]).toEqual([
      ...['+20% better', '-25% worse', 'about the same (+20%)', '+20%'],
    ]);
    expect([said(10, false, 'percent'), said(10, true, 'percent')]).toEqual([
      ...['+2 points better', 'about the same (+2 points)'],
    ]);
  });

  it('is about the same where chance gives it, and neither better nor worse where nothing tells', () => {
    const verdicts = ([true, false, null] as const).map(
      (byChance) => changed(200, 100, 'resolved_cases', byChance)?.verdict,
    );
    expect(verdicts).toEqual(['same', 'better', 'flat']);
    expect(changed(110, 100, 'case_creates', true)?.verdict).toBe('flat');
  });

  it('is none where the earlier range has data of a small part of its days alone', () => {
    expect(changed(770, 1, 'case_creates', 'partial')).toBeUndefined();
  });

  it('that is shown as 0 is neither better nor worse, nor is one of a count without a good direction', () => {
    expect(changed(1001, 1000, 'resolved_cases')?.verdict).toBe('flat');
    expect(changed(120, 100, 'case_creates')?.verdict).toBe('flat');
  });

  it('is good where waits get shorter and promises are kept', () => {
    const names = ['time_to_first_response:p50', 'reply_time', 'sla_reply_rate', 'sla_reply_missed'] as const;
    expect(names.map((name) => changed(200, 100, name)?.verdict)).toEqual(['worse', 'worse', 'better', 'worse']);
    expect(changed(200, 100, 'time_to_resolution:count')?.verdict).toBe('flat');
  });
});
