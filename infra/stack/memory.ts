import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
  type Stack as StoredStack,
} from '@aws-sdk/client-cloudformation';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { Annotations, CfnOutput, CfnParameter, CfnRule, Fn, type Stack } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import * as z from 'zod';

/** What is known of the settings that a stage was deployed with. */
export interface Memory {
  readonly settings: Readonly<Record<string, string>>; // context values of the last deploy, without the stage
  readonly text?: string; // of the parameter that remembers them; absent: there is none
  readonly has: readonly string[]; // settings whose values nobody noted, by the resources of a deploy before there was a memory
  readonly problem?: string; // why no deploy may go on
  readonly unread?: string; // why nothing is known
}

/** The memory of a stage that is deployed for the first time. */
export const NO_MEMORY: Memory = { settings: {}, has: [] };

const OUTPUT = 'Settings';

/** The SSM parameter with the settings of a stage. */
const parameterOf = (stage: string): string => `/support-service/${stage}/settings`;

/** The name of the stack of a stage. */
export const stackName = (stage: string): string => `SupportService-${stage}`;

const schema = z.object({ stage: z.string(), settings: z.record(z.string(), z.string()) });

/** The text of the parameter. */
const textOf = (stage: string, settings: Memory['settings']): string =>
  JSON.stringify({
    stage,
    settings: Object.fromEntries(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1))),
  });

/** Reads the text of the parameter of a stage: settings, or a problem. */
export function parseMemory(stage: string, text: string): Memory {
  const name = parameterOf(stage);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const { data } = schema.safeParse(value);
  const again = `aws ssm get-parameter-history --name ${name} has what it was: put that back by aws ssm put-parameter --overwrite.`;
  if (data === undefined)
    return { ...NO_MEMORY, problem: `The parameter ${name} does not hold the settings of a deploy. ${again}` };
  if (data.stage !== stage)
    return { ...NO_MEMORY, problem: `The parameter ${name} holds the settings of the stage ${data.stage}. ${again}` };
  return { settings: data.settings, text, has: [] };
}

/** The resource by which a stack shows that a setting was on when it was deployed. */
const EVIDENCE: Readonly<Record<string, string>> = {
  'AWS::ApiGateway::DomainName': 'domain',
  'AWS::Athena::WorkGroup': 'warehouse',
  'AWS::Budgets::Budget': 'monthlyBudget',
  'AWS::CodeDeploy::Application': 'canary',
  'AWS::SES::ConfigurationSet': 'mailFrom',
  'AWS::SNS::Subscription': 'alarmEmail',
  'AWS::WAFv2::WebACLAssociation': 'webAcl',
};

/**
 * Reads what the account and region of the environment remember of a stage. Where that cannot be read, for want of
 * credentials for example, `unread` says why.
 */
export async function readMemory(stage: string, region: string | undefined): Promise<Memory> {
  if (region === undefined) return { ...NO_MEMORY, unread: 'the environment has neither credentials nor a region' };
  try {
    const text = await readParameter(new SSMClient({ region }), parameterOf(stage));
    if (text !== undefined) return parseMemory(stage, text);
    const client = new CloudFormationClient({ region });
    const stack = await findStack(client, stackName(stage));
    if (stack === undefined || stack.StackStatus === 'ROLLBACK_COMPLETE') return NO_MEMORY;
    const noted = stack.Outputs?.find(({ OutputKey }) => OutputKey === OUTPUT)?.OutputValue;
    if (noted !== undefined) {
      const put = `aws ssm put-parameter --name ${parameterOf(stage)} --type String --value '${noted}'`;
      return {
        ...parseMemory(stage, noted),
        problem: `The parameter ${parameterOf(stage)}, which remembers the settings of ${stage}, was deleted. Put it back, and deploy again: ${put}`,
      };
    }
    return { ...NO_MEMORY, has: await shownBy(client, stackName(stage)) };
  } catch (error) {
    return { ...NO_MEMORY, unread: error instanceof Error ? error.message : String(error) };
  }
}

async function readParameter(client: SSMClient, Name: string): Promise<string | undefined> {
  try {
    return (await client.send(new GetParameterCommand({ Name }))).Parameter?.Value;
  } catch (error) {
    if (error instanceof Error && error.name === 'ParameterNotFound') return undefined;
    throw error;
  }
}

async function findStack(client: CloudFormationClient, StackName: string): Promise<StoredStack | undefined> {
  try {
    return (await client.send(new DescribeStacksCommand({ StackName }))).Stacks?.[0];
  } catch (error) {
    if (error instanceof Error && error.message.includes('does not exist')) return undefined;
    throw error;
  }
}

async function shownBy(client: CloudFormationClient, StackName: string): Promise<readonly string[]> {
  const shown = new Set<string>();
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
    for (const { ResourceType = '' } of StackResourceSummaries) {
      const setting = EVIDENCE[ResourceType];
      if (setting !== undefined) shown.add(setting);
    }
  return [...shown].sort();
}

/** The settings of a deploy, and which of those that the stage has it leaves open. */
export interface Recalled {
  readonly settings: Readonly<Record<string, string>>;
  readonly open: readonly string[];
}

/** What goes with a setting that is dropped. */
const WITH: Readonly<Record<string, readonly string[]>> = { domain: ['certificate', 'tls13'] };

/**
 * The settings of a deploy: those that its context gives, and for all others those of the last time. `none` takes one
 * away, but for `alarmEmail`, of which it is a value; `table=own` goes back to the stack's own.
 */
export function recall(context: Readonly<Record<string, string>>, memory: Memory): Recalled {
  const isDrop = ([name, value]: readonly [string, string]): boolean =>
    (value === 'none' && name !== 'alarmEmail') || (name === 'table' && value === 'own');
  const dropped = Object.entries(context)
    .filter(isDrop)
    .flatMap(([name]) => [name, ...(WITH[name] ?? [])]);
  const remembered = Object.entries(memory.settings).filter(([name]) => !dropped.includes(name));
  const newSettings = Object.entries(context).filter((entry) => !isDrop(entry));
  return {
    settings: Object.fromEntries([...remembered, ...newSettings]),
    open: memory.has.filter((name) => !Object.hasOwn(context, name)),
  };
}

/**
 * Keeps the settings of a deploy with the stack. CloudFormation refuses the deploy, before anything changes, if another
 * one has changed them since they were read here; where they could not be read, if it would change them at all.
 */
export function remember(stack: Stack, stage: string, memory: Memory, { settings, open }: Recalled): void {
  const text = textOf(stage, settings);
  const name = parameterOf(stage);
  new StringParameter(stack, 'Remembered', {
    parameterName: name,
    stringValue: text,
    description: `What ${stage} was deployed with (docs/deploy.md)`,
  });
  new CfnOutput(stack, OUTPUT, { value: text, description: 'What the stage was deployed with' });
  const isUnread = memory.unread !== undefined;
  if (memory.text !== undefined || isUnread) {
    const before = new CfnParameter(stack, 'SettingsBefore', {
      type: 'AWS::SSM::Parameter::Value<String>',
      default: name,
      description: 'The settings of the last deploy [cdk:skip]', // so that the CDK sees where nothing changes
    });
    new CfnRule(stack, 'SameSettings', {
      assertions: [
        {
          assert: Fn.conditionEquals(Fn.ref(before.logicalId), memory.text ?? text),
          assertDescription: isUnread
            ? `What ${stage} was deployed with could not be read, and this deploy would change it: deploy with credentials that may read the parameter ${name} (docs/delivery.md).`
            : `Another deploy has changed the settings of ${stage} meanwhile: deploy again.`,
        },
      ],
    });
  }
  const notes = Annotations.of(stack);
  if (isUnread) notes.addWarningV2('support:settings', `The settings of ${stage} could not be read: ${memory.unread}.`);
  if (memory.problem !== undefined) notes.addError(memory.problem);
  for (const setting of open)
    notes.addError(
      `${stage} has the setting ${setting} from a deploy that did not note its value. Keep it by -c ${setting}=<value>, or drop it by -c ${setting}=none.`,
    );
}

/** The settings that a deploy takes from the last one, for people. */
export function tellTaken(stack: Stack, context: Readonly<Record<string, string>>, { settings }: Recalled): void {
  const taken = Object.entries(settings).filter(([name]) => !Object.hasOwn(context, name));
  if (taken.length === 0) return;
  const said = taken.map(([name, value]) => `${name}=${value}`).join(' ');
  Annotations.of(stack).addInfo(
    `Settings as of the last deploy: ${said}. To change one add -c <name>=<value>, to drop it -c <name>=none.`,
  );
}
