import { ORIGINAL_FIELDS, REPORT_QUERIES } from './report-queries.ts';

describe('the questions of the bench', () => {
  it('ask for as many fields as they say, which their SQL answers', () => {
    const named = REPORT_QUERIES.flatMap(({ name, body }) => {
      const said = /all (\d+) fields/.exec(name)?.[1];
      return said === undefined ? [] : [{ said: Number(said), asked: body.fields.length }];
    });
    expect(named).toEqual([{ said: 22, asked: 22 }]);
  });

  it('take no field that came after the original interface for one of it', () => {
    expect(ORIGINAL_FIELDS).toContain('agent_time_online');
    expect(ORIGINAL_FIELDS).not.toContain('reply_time');
    expect(ORIGINAL_FIELDS).not.toContain('sla_reply_rate');
  });
});
