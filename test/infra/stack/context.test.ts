import { execFile } from 'node:child_process';
import { ownContext, readContext } from '../../../infra/stack/context.ts';

const certificate = 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b-2c';
const domain = '*.support.example.com';
const webAcl = 'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/ours/0a1b-2c';
const USUAL = {
  ...{ tracing: 'off', gatewayRole: 'on', ingestConcurrency: 5 },
  ...{ importConcurrency: 2, importStepSeconds: 720, tls13: 'off', canary: 'off', detailedMetrics: 'off' },
  ...{ warehouse: 'off', emulator: 'off' },
};
const STAGE = 'a name such as dev, staging or prod: lower case letters, digits and dashes, at most 20';

describe('the context of a deploy', () => {
  it('needs no more than a stage', () => {
    expect(readContext({ stage: 'dev' })).toEqual({ stage: 'dev', ...USUAL });
  });

  it('takes a wildcard domain with its certificate, in the region that it goes to', () => {
    const context = { stage: 'prod', domain, certificate, alarmEmail: 'none' };
    expect(readContext(context, 'eu-west-1')).toMatchObject(context);
  });

  it('leaves alone what the CDK itself keeps there', () => {
    const own = {
      '@aws-cdk/core:explicitStackTags': true,
      'aws:cdk:version-reporting': true,
      'cli-telemetry': 'false',
    };
    expect(readContext({ stage: 'dev', ...own })).toEqual({ stage: 'dev', ...USUAL });
  });

  it.each([
    [{}, `The context value stage is missing: add -c stage=<value>, where it is ${STAGE}.`],
    [{ stage: 'Live!' }, `The context value stage=Live! cannot be used: it must be ${STAGE}.`],
    [{ stage: '' }, `The context value stage= cannot be used: it must be ${STAGE}.`],
    [{ stage: 'dev', tracing: 'yes' }, 'The context value tracing=yes cannot be used: it must be on or off.'],
    [
      { stage: 'dev', domain: 'https://x', certificate },
      'The context value domain=https://x cannot be used: it must be a host name such as support.example.com or *.support.example.com.',
    ],
    [
      { stage: 'dev', domain, certificate: 'arn:aws:iam::123456789012:role/x' },
      'The context value certificate=arn:aws:iam::123456789012:role/x cannot be used: it must be the ARN of an ACM certificate.',
    ],
    [
      { stage: 'dev', domain, certificate },
      `The context value certificate=${certificate} cannot be used: it must be one of us-east-1, where the API goes.`,
    ],
    [
      { stage: 'dev', domain: 'a.example' },
      'The context values domain and certificate belong together: give both or neither.',
    ],
    [{ stage: 'dev', certificate }, 'The context values domain and certificate belong together: give both or neither.'],
    [
      { stage: 'dev', table: 'no table' },
      'The context value table=no table cannot be used: it must be the name of a DynamoDB table.',
    ],
    [
      { stage: 'dev', alarmEmail: 'nobody' },
      'The context value alarmEmail=nobody cannot be used: it must be an e-mail address, or none.',
    ],
    [
      { stage: 'prod', alarmEmail: 'none', emulator: 'on' },
      'The context value emulator=on is for stages that may be destroyed, not for prod.',
    ],
    [
      { stage: 'prod' },
      'The alarms of prod would notify nobody: add -c alarmEmail=<address>, or -c alarmEmail=none to say so.',
    ],
    [
      { stage: 'prod', monthlyBudget: '50', alarmEmail: 'none' },
      'The context value monthlyBudget needs alarmEmail: an address for its mails.',
    ],
    [
      { stage: 'dev', webAcl: 'arn:aws:acm:x' },
      'The context value webAcl=arn:aws:acm:x cannot be used: it must be on, off, or the ARN of a regional web ACL.',
    ],
    [
      { stage: 'dev', webAcl },
      `The context value webAcl=${webAcl} cannot be used: it must be one of us-east-1, where the API goes.`,
    ],
    [
      { stage: 'dev', tls13: 'on' },
      'The context value tls13=on needs domain: API Gateway decides about TLS on its own host.',
    ],
    [
      { stage: 'dev', ingestConcurrency: '1' },
      'The context value ingestConcurrency=1 cannot be used: it must be a whole number from 2 to 100000.',
    ],
    [
      { stage: 'dev', monthlyBudget: '50' },
      'The context value monthlyBudget needs alarmEmail: an address for its mails.',
    ],
    [
      { stage: 'dev', domian: domain },
      'The context value domian is not known: there are stage, domain, certificate, table, alarmEmail, tls13, tracing, gatewayRole, accountConcurrency, insightsConcurrency, ingestConcurrency, importConcurrency, importStepSeconds, mailFrom, monthlyBudget, canary, warehouse, webAcl, runbook, detailedMetrics, emulator.',
    ],
  ])('stops at %j with one sentence', (context, sentence) => {
    const read = () => {
      const { stage, context: settings } = ownContext(context);
      return readContext({ stage, ...settings }, 'us-east-1');
    };
    expect(read).toThrow(sentence);
  });

  it('is all that a synth says of it', async () => {
    const env = { ...process.env, NODE_OPTIONS: '', CDK_CONTEXT_JSON: JSON.stringify({ stage: 'Live!' }) };
    const said = await new Promise((resolve) => {
      execFile(process.execPath, ['--import', 'tsx', 'infra/stack/app.ts'], { env }, (error, out, err) =>
        resolve([error?.code, out, err]),
      );
    });
    expect(said).toEqual([1, '', `The context value stage=Live! cannot be used: it must be ${STAGE}.\n`]);
  });
});
