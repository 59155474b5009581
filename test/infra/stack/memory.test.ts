import { App, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { ownContext } from '../../../infra/stack/context.ts';
import {
  type Memory,
  NO_MEMORY,
  parseMemory,
  readMemory,
  recall,
  remember,
  tellTaken,
} from '../../../infra/stack/memory.ts';
import { setEnvironment } from '../../support/service/environment.ts';
import { startStage } from '../../support/service/stage-server.ts';

const server = await startStage();
afterAll(() => server.close());
setEnvironment({ AWS_ACCESS_KEY_ID: 'ops', AWS_SECRET_ACCESS_KEY: 'ops', AWS_ENDPOINT_URL: server.url });

const kept = (settings: Memory['settings']): Memory => parseMemory('prod', JSON.stringify({ stage: 'prod', settings }));

const LAST = {
  ...{ alarmEmail: 'ops@example.com', domain: 'a.example', certificate: 'arn:x', tls13: 'on' },
  ...{ warehouse: 'on', table: 'restored', fromALaterVersion: '1' },
};

/** The template of a stage that remembers, and what the CDK says of it. */
function deployed(context: Readonly<Record<string, string>>, memory: Memory) {
  const stack = new Stack(new App(), 'Stage');
  const recalled = recall(context, memory);
  remember(stack, 'prod', memory, recalled);
  tellTaken(stack, context, recalled);
  const said = Annotations.fromStack(stack);
  const of = (entries: readonly { readonly entry: { readonly data?: unknown } }[]) =>
    entries.map(({ entry }) => String(entry.data));
  return {
    template: Template.fromStack(stack),
    errors: of(said.findError('*', Match.anyValue())),
    infos: of(said.findInfo('*', Match.anyValue())),
    warnings: of(said.findWarning('*', Match.anyValue())),
  };
}

describe('what a stage was deployed with', () => {
  it('holds for what a deploy does not say, and is told', () => {
    expect(recall({}, kept(LAST)).settings).toEqual(LAST);
    expect(recall({ warehouse: 'off', canary: 'on' }, kept(LAST)).settings).toEqual({
      ...LAST,
      ...{ warehouse: 'off', canary: 'on' },
    });
    const { infos, errors } = deployed({ canary: 'on' }, kept({ warehouse: 'on' }));
    expect([infos, errors]).toEqual([
      ['Settings as of the last deploy: warehouse=on. To change one add -c <name>=<value>, to drop it -c <name>=none.'],
      [],
    ]);
  });

  it.each([
    [{ domain: 'none' }, ['domain', 'certificate', 'tls13']],
    [{ warehouse: 'none' }, ['warehouse']],
    [{ table: 'own' }, ['table']],
    [{ mailFrom: 'none' }, []],
  ] as [Record<string, string>, string[]][])('goes by %j, and what needs it', (context, gone) => {
    const left = Object.entries(LAST).filter(([name]) => !gone.includes(name));
    expect(recall(context, kept(LAST)).settings).toEqual(Object.fromEntries(left));
  });

  it('has none as a value of the address of alarms', () => {
    expect(recall({ alarmEmail: 'none' }, kept(LAST)).settings.alarmEmail).toBe('none');
  });

  it('is kept in a parameter, which CloudFormation compares with what this deploy has read', () => {
    const memory = kept({ warehouse: 'on' });
    const { template } = deployed({ canary: 'on' }, memory);
    const text = '{"stage":"prod","settings":{"canary":"on","warehouse":"on"}}';
    template.hasResourceProperties('AWS::SSM::Parameter', { Name: '/support-service/prod/settings', Value: text });
    template.hasOutput('Settings', { Value: text });
    const { Parameters, Rules } = template.toJSON();
    expect(Parameters.SettingsBefore).toMatchObject({
      ...{ Type: 'AWS::SSM::Parameter::Value<String>', Default: '/support-service/prod/settings' },
      Description: expect.stringContaining('[cdk:skip]'),
    });
    expect(Rules.SameSettings.Assertions[0]).toEqual({
      Assert: { 'Fn::Equals': [{ Ref: 'SettingsBefore' }, memory.text] },
      AssertDescription: 'Another deploy has changed the settings of prod meanwhile: deploy again.',
    });
  });

  it('is compared with nothing by a first deploy', () => {
    const { template, errors } = deployed({ warehouse: 'on' }, NO_MEMORY);
    expect([template.toJSON().Rules.SameSettings, errors]).toEqual([undefined, []]);
  });

  it('must be named, value for value or as none, where the last deploy did not note it', () => {
    const memory = { ...NO_MEMORY, has: ['domain', 'mailFrom', 'warehouse'] };
    const context = { domain: 'a.example', certificate: 'arn:x', mailFrom: 'none' };
    expect(deployed(context, memory).errors).toEqual([
      'prod has the setting warehouse from a deploy that did not note its value. Keep it by -c warehouse=<value>, or drop it by -c warehouse=none.',
    ]);
    expect(deployed({ ...context, warehouse: 'on' }, memory).errors).toEqual([]);
  });

  it('lets nothing be changed by a deploy that could not read it', () => {
    const { template, warnings } = deployed({ warehouse: 'on' }, { ...NO_MEMORY, unread: 'no rights' });
    const [{ Assert, AssertDescription }] = template.toJSON().Rules.SameSettings.Assertions;
    expect(Assert['Fn::Equals'][1]).toBe('{"stage":"prod","settings":{"warehouse":"on"}}');
    expect(AssertDescription).toContain('could not be read, and this deploy would change it');
    expect(warnings).toEqual([expect.stringContaining('could not be read: no rights.')]);
  });

  it.each([
    ['{"stage":"staging","settings":{}}', 'holds the settings of the stage staging.'],
    ['{"stage":"prod","settings":{"a":1}}', 'does not hold the settings of a deploy.'],
    ['nothing', 'does not hold the settings of a deploy.'],
  ])('stops a deploy where the parameter has %j', (text, sentence) => {
    const { errors } = deployed({}, parseMemory('prod', text));
    expect(errors).toEqual([expect.stringContaining(sentence)]);
    expect(errors[0]).toContain('aws ssm get-parameter-history --name /support-service/prod/settings');
  });

  it('is told from what the CDK keeps in a context', () => {
    const context = { stage: 'dev', warehouse: 'on', 'aws:cdk:version-reporting': true, 'cli-telemetry': 'false' };
    expect(ownContext(context)).toEqual({ stage: 'dev', context: { warehouse: 'on' } });
  });
});

describe('what an account remembers of a stage', () => {
  const TEXT = '{"stage":"prod","settings":{"canary":"on"}}';
  const types = ['AWS::Athena::WorkGroup', 'AWS::SNS::Subscription', 'AWS::SES::ConfigurationSet', 'AWS::SQS::Queue'];

  function told(account: Pick<typeof server, 'parameter' | 'stack'> & { readonly denied?: string }) {
    Object.assign(server, { denied: undefined, ...account });
    return readMemory('prod', 'eu-west-1');
  }

  it('is what its parameter holds', async () => {
    expect(await told({ parameter: TEXT, stack: undefined })).toEqual(parseMemory('prod', TEXT));
  });

  it('is nothing before the first deploy', async () => {
    expect(await told({ parameter: undefined, stack: undefined })).toEqual(NO_MEMORY);
  });

  it('is of an earlier version, which noted nothing, what its resources show; each must be named then', async () => {
    const memory = await told({ parameter: undefined, stack: { outputs: { TableName: 'support' }, types } });
    expect(memory).toEqual({ ...NO_MEMORY, has: ['alarmEmail', 'mailFrom', 'warehouse'] });
    // Also by a deploy that only brings a restored table.
    expect(deployed({ table: 'restored' }, memory).errors).toHaveLength(3);
  });

  it('is, where the parameter was deleted by hand, in the output, with the command that puts it back', async () => {
    const memory = await told({ parameter: undefined, stack: { outputs: { Settings: TEXT }, types } });
    const { errors } = deployed({}, memory);
    expect(errors).toEqual([expect.stringMatching(/^The parameter .* was deleted\. Put it back, and deploy again: /)]);
    expect(errors[0]).toContain(
      `aws ssm put-parameter --name /support-service/prod/settings --type String --value '${TEXT}'`,
    );
  });

  it.each(['ssm:GetParameter', 'cloudformation:DescribeStacks', 'cloudformation:ListStackResources'])(
    'is unread without the right %s, which it names',
    async (denied) => {
      const stack = { outputs: {}, types };
      const memory = await told({ parameter: undefined, stack, denied });
      expect(memory).toEqual({ ...NO_MEMORY, unread: expect.stringContaining(`perform: ${denied}`) });
      expect(deployed({ warehouse: 'on' }, memory).warnings).toEqual([expect.stringContaining(denied)]);
    },
  );

  it('is unread without credentials or a region', async () => {
    expect((await readMemory('prod', undefined)).unread).toContain('neither credentials nor a region');
  });

  it('stays whole in a deploy of a restored table that says nothing else', () => {
    const { settings } = recall({ table: 'restored-again' }, kept(LAST));
    expect(settings).toEqual({ ...LAST, table: 'restored-again' });
  });
});
