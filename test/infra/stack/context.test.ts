import { describe, expect, it } from '@jest/globals';
import { readContext } from '../../../infra/stack/context.ts';

const CERTIFICATE = 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b-2c';
const read = (context: Record<string, unknown>) => readContext((name) => context[name]);

describe('the context of a deploy', () => {
  it('needs no more than a stage', () => {
    expect(read({ stage: 'dev' })).toEqual({ stage: 'dev', tracing: 'off' });
  });

  it('takes a wildcard domain with its certificate', () => {
    const context = { stage: 'prod', domain: '*.support.example.com', certificate: CERTIFICATE };
    expect(read(context)).toMatchObject(context);
  });

  it.each([
    [{}, 'The context value stage is missing: add -c stage=<value>, where it is dev or prod.'],
    [{ stage: 'live' }, 'The context value stage=live cannot be used: it must be dev or prod.'],
    [{ stage: 'dev', tracing: 'yes' }, 'The context value tracing=yes cannot be used: it must be on or off.'],
    [
      { stage: 'dev', domain: 'https://x', certificate: CERTIFICATE },
      'The context value domain=https://x cannot be used: it must be a host name such as support.example.com or *.support.example.com.',
    ],
    [
      { stage: 'dev', domain: 'a.example' },
      'The context values domain and certificate belong together: give both or neither.',
    ],
    [
      { stage: 'dev', alarmEmail: 'nobody' },
      'The context value alarmEmail=nobody cannot be used: it must be an e-mail address.',
    ],
  ])('stops at %j with one sentence', (context, sentence) => {
    expect(() => read(context)).toThrow(sentence);
  });
});
