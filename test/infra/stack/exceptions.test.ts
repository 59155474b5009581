import type { Stack } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { readContext } from '../../../infra/stack/context.ts';
import { acknowledge, EXCEPTIONS, NO_ACL, SHIFTING, TRACING, WAREHOUSE } from '../../../infra/stack/exceptions.ts';
import { some } from '../../support/generators/depth.ts';
import { synthesize } from '../../support/service/stack.ts';

/** The rules of the AwsSolutions pack that a stack breaks. */
const broken = (stack: Stack): string[] =>
  new AwsSolutionsChecks(stack)
    .validateScope(stack)
    .violations.map(({ ruleName }) => ruleName)
    .sort();
const idsOf = (exceptions: readonly { readonly id: string }[]): string[] => exceptions.map(({ id }) => id).sort();

describe('cdk-nag', () => {
  const STAGES = [
    [{ stage: 'dev' }, [...EXCEPTIONS, NO_ACL]],
    [{ stage: 'dev', mailFrom: 'reports@acme.example' }, [...EXCEPTIONS, NO_ACL]],
    [{ stage: 'dev', warehouse: 'on' }, [...EXCEPTIONS, NO_ACL, ...WAREHOUSE]],
    [{ stage: 'prod', alarmEmail: 'none', canary: 'on' }, [...EXCEPTIONS, SHIFTING]],
    [
      {
        stage: 'prod',
        tracing: 'on',
        alarmEmail: 'ops@example.com',
        domain: '*.support.example.com',
        certificate: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b-2c',
      },
      [...EXCEPTIONS, TRACING],
    ],
  ] as const;

  it.each(some(STAGES, 2))(
    'finds in %j what the list of exceptions names, all of it, and nothing else',
    (context, exceptions) => {
      const { stack } = synthesize(context);
      expect(broken(stack)).toEqual(idsOf(exceptions));
      acknowledge(stack, readContext(context));
      expect(broken(stack)).toEqual([]);
    },
  );
});
