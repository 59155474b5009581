import { readFileSync } from 'node:fs';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { FUNCTIONS, type FunctionEntry } from '../../../infra/stack/functions.ts';
import { WRITTEN_KEYS } from '../../../infra/stack/warehouse.ts';
import { isRefusedSignIn } from '../../../lib/http/exchange.ts';
import { listFolder } from '../../../lib/warehouse/athena.ts';
import { EXPORT_GROUP } from '../../../lib/warehouse/due.ts';
import { TABLE_NAMES, TABLES, type WarehouseTable } from '../../../lib/warehouse/tables.ts';
import { synthesize } from '../../support/service/stack.ts';

const dev = synthesize({ stage: 'dev' });
const prod = synthesize({
  stage: 'prod',
  tracing: 'on',
  warehouse: 'on',
  mailFrom: 'reports@acme.example',
  alarmEmail: 'ops@example.com',
  domain: '*.support.example.com',
  certificate: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b-2c',
});

/** A resource of a template, as far as it says what stays. */
interface Staying {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly Properties: { readonly Tags?: unknown };
}

const functionsOf = (template: typeof dev.template) => Object.values(template.findResources('AWS::Lambda::Function'));

describe('the table', () => {
  it('is paid by request, encrypted, recoverable and tidied by TTL', () => {
    dev.template.hasResourceProperties('AWS::DynamoDB::Table', {
      BillingMode: 'PAY_PER_REQUEST',
      SSESpecification: { SSEEnabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    });
  });

  it('may be destroyed in dev alone', () => {
    dev.template.hasResource('AWS::DynamoDB::Table', {
      DeletionPolicy: 'Delete',
      Properties: { DeletionProtectionEnabled: false },
    });
    prod.template.hasResource('AWS::DynamoDB::Table', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { DeletionProtectionEnabled: true },
    });
    expect([dev.stack.terminationProtection, prod.stack.terminationProtection]).toEqual([false, true]);
  });

  it('stays with its queues in any stage but dev and those named dev-…', () => {
    for (const [stage, policy] of [
      ['dev-ann', 'Delete'],
      ['staging', 'RetainExceptOnCreate'],
    ] as const) {
      const { template } = synthesize({ stage, alarmEmail: 'none' });
      template.hasResource('AWS::DynamoDB::Table', { DeletionPolicy: policy.replace('ExceptOnCreate', '') });
      for (const kind of ['AWS::SQS::Queue', 'AWS::S3::Bucket', 'AWS::Logs::LogGroup'])
        template.allResources(kind, { DeletionPolicy: policy });
    }
  });

  it('may be one that was restored from a backup, which must hold sites; the stack keeps its own beside it', () => {
    const { template } = synthesize({ stage: 'dev', table: 'restored' });
    template.resourceCountIs('AWS::DynamoDB::Table', 1);
    for (const { Properties } of functionsOf(template)) {
      const { TABLE_NAME = 'restored', SITES } = Properties.Environment.Variables;
      expect([TABLE_NAME, SITES]).toEqual(['restored', 'expected']);
    }
    template.hasOutput('TableName', { Value: 'restored' });
    expect(JSON.stringify(functionsOf(dev.template))).not.toContain('SITES');
  });

  it('changes only by a deploy that says so', () => {
    for (const [context, table] of [
      [{}, 'own'],
      [{ table: 'restored' }, 'restored'],
    ] as const) {
      const { Parameters, Rules } = synthesize({ stage: 'dev', ...context }).template.toJSON();
      expect(Parameters.TableInUse).toMatchObject({ Type: 'String', Default: 'own' });
      const [{ Assert, AssertDescription }] = Rules.SameTable.Assertions;
      expect(Assert).toEqual({ 'Fn::Equals': [{ Ref: 'TableInUse' }, table] });
      expect(AssertDescription).toContain(`--parameters TableInUse=${table}`);
    }
  });
});

describe('the functions', () => {
  it('are on arm64 and Node 24, each with its own log group, role and time limit', () => {
    const found = functionsOf(dev.template);
    expect(found).toHaveLength(Object.keys(FUNCTIONS).length - 2); // no warehouse, no mails
    for (const { Properties } of found) {
      expect(Properties).toMatchObject({ Architectures: ['arm64'], Runtime: 'nodejs24.x', Handler: 'index.handler' });
    }
    const of = (pick: (properties: Record<string, unknown>) => unknown) =>
      new Set(found.map(({ Properties }) => JSON.stringify(pick(Properties))));
    expect(of((properties) => properties.Role).size).toBe(found.length);
    expect(of((properties) => properties.LoggingConfig).size).toBe(found.length);
  });

  it('that answer requests stop before the gateway gives up', () => {
    for (const name of ['topics', 'macros', 'insights', 'imports', 'console'] as const) {
      expect(FUNCTIONS[name].timeout.toSeconds()).toBeLessThan(29);
    }
  });

  it('keep their logs for a while and not for ever', () => {
    for (const { Properties } of Object.values(prod.template.findResources('AWS::Logs::LogGroup'))) {
      expect(Properties.RetentionInDays).toBe(90);
    }
  });

  it('are called by an alias, which a rollback points at an earlier version', () => {
    const aliases = Object.keys(dev.template.findResources('AWS::Lambda::Alias'));
    expect(aliases).toHaveLength(Object.keys(FUNCTIONS).length - 2);
    dev.template.allResources('AWS::Lambda::Version', { DeletionPolicy: 'Retain' });
    const called = JSON.stringify([
      dev.template.findResources('AWS::ApiGateway::Method'),
      dev.template.findResources('AWS::Lambda::EventSourceMapping'),
      dev.template.findResources('AWS::Events::Rule'),
    ]);
    for (const alias of aliases) expect(called).toContain(alias);
  });

  it('leave one another room: each runs so many at once in a stage that is kept, if the account has as much', () => {
    const reserved = (context: Readonly<Record<string, string>>) => {
      const { stack, template } = synthesize({ stage: 'prod', alarmEmail: 'none', ...context });
      const calls = functionsOf(template).flatMap(({ Properties }) => Properties.ReservedConcurrentExecutions ?? []);
      const told = Annotations.fromStack(stack).findInfo('*', Match.stringLikeRegexp('accountConcurrency')).length;
      return [calls.sort((a, b) => a - b), told];
    };
    const usual = [2, 2, 5, 10, 20, 20, 20, 50, 50, 100];
    expect(reserved({})).toEqual([usual, 1]);
    expect(reserved({ accountConcurrency: '379' })).toEqual([usual, 0]);
    expect(reserved({ accountConcurrency: '378' })).toEqual([[], 0]);
    expect(reserved({ accountConcurrency: '10' })).toEqual([[], 0]);
    expect(reserved({ insightsConcurrency: '0', ingestConcurrency: '30' })).toEqual([
      [2, 2, 10, 20, 20, 20, 30, 50, 100],
      1,
    ]);
    expect(reserved({ warehouse: 'on' })).toEqual([[...usual, 10].sort((a, b) => a - b), 1]);
    expect(reserved({ mailFrom: 'reports@acme.example' })).toEqual([[...usual, 12].sort((a, b) => a - b), 1]);
    expect(reserved({ stage: 'dev' })).toEqual([[], 0]);
    dev.template.hasResourceProperties('AWS::Lambda::EventSourceMapping', { ScalingConfig: { MaximumConcurrency: 5 } });
  });

  it('start without source maps, for which a start would wait', () => {
    for (const { Properties } of functionsOf(prod.template))
      expect(Properties.Environment.Variables).not.toHaveProperty('NODE_OPTIONS');
  });

  it('are traced by option', () => {
    const modes = (template: typeof dev.template) =>
      functionsOf(template).map(({ Properties }) => Properties.TracingConfig?.Mode);
    expect(new Set(modes(dev.template))).toEqual(new Set([undefined]));
    expect(new Set(modes(prod.template))).toEqual(new Set(['Active']));
    dev.template.hasResourceProperties('AWS::ApiGateway::Stage', { TracingEnabled: false });
    prod.template.hasResourceProperties('AWS::ApiGateway::Stage', { TracingEnabled: true });
  });
});

describe('the roles', () => {
  const { template } = synthesize({ stage: 'dev', warehouse: 'on', mailFrom: 'reports@acme.example' });
  const statements = Object.values(template.findResources('AWS::IAM::Policy')).flatMap(
    ({ Properties }) => Properties.PolicyDocument.Statement as Record<string, unknown>[],
  );

  it('bind every action on the table to leading keys', () => {
    const onTable = statements.filter((statement) => JSON.stringify(statement.Action).includes('dynamodb:'));
    expect(onTable).toHaveLength(
      Object.values(FUNCTIONS).flatMap(({ reads, writes, keeps }) =>
        [reads, writes, keeps].filter((keys) => keys.length > 0),
      ).length,
    );
    for (const { Condition, Resource } of onTable) {
      expect(Condition).toEqual({
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': expect.any(Array) },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      });
      expect(Resource).toEqual({ 'Fn::GetAtt': [expect.stringMatching(/^Table/), 'Arn'] });
    }
  });

  it('hold no wildcard action and no wildcard resource', () => {
    for (const { Action, Resource } of statements) {
      expect(JSON.stringify(Action)).not.toContain('*');
      expect(Resource).not.toBe('*');
    }
  });

  it('let no report write history, no topic see actions of macros, no folding see users', () => {
    const signIn = ['site#*#repeat', 'site#*#token', 'site#*#guess', 'site#*#rate'];
    expect(FUNCTIONS.insights.writes).toEqual([
      'site#*#lock',
      'engine#lock',
      'site#*#ids',
      'site#*#saved-reports',
      'site#*#boards',
      'site#*#board-links',
      'site#*#subscriptions',
      'site#*#alerts',
      'site#*#shared',
      'site#*#deliveries',
      'site#*#ref#calendar',
      'site#*#ref#sla_policy',
      ...signIn,
    ]);
    expect(FUNCTIONS.topics.reads).not.toContain('site#*#macro#*');
    expect(FUNCTIONS.topics.writes).not.toContain('site#*#macros');
    expect(FUNCTIONS.compact.reads).not.toContain('site#*#user');
  });

  it('let no function delete settings, users or entries of the audit, and few write them', () => {
    const all: [string, FunctionEntry][] = Object.entries(FUNCTIONS);
    for (const kept of ['site#*#settings', 'site#*#user', 'site#*#audit'])
      expect(all.filter(([, { writes }]) => writes.includes(kept))).toEqual([]);
    const keepersOf = (kept: string) => all.flatMap(([name, { keeps }]) => (keeps.includes(kept) ? [name] : []));
    expect(keepersOf('site#*#user')).toEqual(['topics', 'ingest', 'load']);
    expect(keepersOf('site#*#settings')).toEqual(['topics', 'ingest', 'load']);
    expect(keepersOf('site#*#audit')).toEqual([
      ...['topics', 'macros', 'insights', 'imports', 'connections', 'ingest', 'load', 'deliver'],
    ]);
    const keeping = statements.filter(({ Sid }) => Sid === 'Keep');
    expect(keeping).toHaveLength(all.filter(([, { keeps }]) => keeps.length > 0).length);
    for (const { Action } of keeping) expect(Action).toEqual(['dynamodb:PutItem', 'dynamodb:ConditionCheckItem']);
  });
});

describe('the secrets of OAuth and of connections', () => {
  const idOf = (name: string) =>
    Object.keys(dev.template.findResources('AWS::SecretsManager::Secret')).find((id) => id.startsWith(name));

  it('get their keys from the deploy, and go with a stage that may be destroyed', () => {
    dev.template.resourceCountIs('AWS::SecretsManager::Secret', 2);
    dev.template.allResources('AWS::SecretsManager::Secret', {
      DeletionPolicy: 'Delete',
      Properties: { GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true } },
    });
    prod.template.allResources('AWS::SecretsManager::Secret', { DeletionPolicy: 'RetainExceptOnCreate' });
    for (const name of ['OAuthSecret', 'ConnectionSecret'])
      dev.template.hasOutput(`${name}Name`, { Value: { 'Fn::GetAtt': [idOf(name), 'Id'] } });
  });

  it.each([
    ['OAuthSecret', 'OAuthKey', 'OAUTH_SECRET', ['connections', 'imports', 'insights', 'macros', 'topics']],
    ['ConnectionSecret', 'ConnectionKey', 'CONNECTION_SECRET', ['connections', 'pulls']],
  ])('%s is read by its functions and no other', (name, Sid, variable, readers) => {
    const Resource = { 'Fn::GetAtt': [idOf(name), 'Id'] };
    const policies = Object.values(dev.template.findResources('AWS::IAM::Policy')).filter(({ Properties }) =>
      JSON.stringify(Properties.PolicyDocument).includes(JSON.stringify(Resource)),
    );
    for (const { Properties } of policies)
      expect(Properties.PolicyDocument.Statement).toContainEqual({
        ...{ Sid, Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource },
      });
    const roles = policies.map(({ Properties }) =>
      Properties.Roles[0].Ref.replace(/Role[0-9A-F]{8}$/, '').toLowerCase(),
    );
    expect(roles.sort()).toEqual(readers);
    const told = Object.entries(dev.template.findResources('AWS::Lambda::Function'))
      .filter(([, { Properties }]) => Properties.Environment.Variables[variable]?.['Fn::GetAtt'][0] === idOf(name))
      .map(([id]) => id.replace(/[0-9A-F]{8}$/, '').toLowerCase());
    expect(told.sort()).toEqual(readers);
  });
});

describe('pulls of help desks', () => {
  it('are looked for each minute, and follow one another within a connection', () => {
    const [pulls] = Object.keys(
      dev.template.findResources('AWS::SQS::Queue', {
        Properties: { FifoQueue: true, RedrivePolicy: { maxReceiveCount: 3 } },
      }),
    );
    expect(pulls).toMatch(/^DuePulls/);
    dev.template.hasResourceProperties('AWS::SQS::Queue', {
      ...{ FifoQueue: true, DeduplicationScope: 'messageGroup', RedrivePolicy: { maxReceiveCount: 3 } },
      VisibilityTimeout: FUNCTIONS.pulls.timeout.toSeconds() + 60,
    });
    dev.template.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(1 minute)' });
    dev.template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      ...{ BatchSize: 1, ScalingConfig: { MaximumConcurrency: 8 }, EventSourceArn: { 'Fn::GetAtt': [pulls, 'Arn'] } },
    });
    const senders = functionsOf(dev.template).filter(
      ({ Properties }) => Properties.Environment.Variables.PULL_URL?.Ref === pulls,
    );
    expect(senders).toHaveLength(2);
  });

  it('call this machine on an emulator alone', () => {
    const loopback = (context: Readonly<Record<string, string>>) =>
      functionsOf(synthesize(context).template).flatMap(
        ({ Properties }) => Properties.Environment.Variables.CONNECT_LOOPBACK ?? [],
      );
    expect(loopback({ stage: 'dev' })).toEqual(['0', '0']);
    expect(loopback({ stage: 'prod', alarmEmail: 'none' })).toEqual(['0', '0']);
    expect(loopback({ stage: 'dev', emulator: 'on' })).toEqual(['1', '1']);
  });
});

describe('the API', () => {
  it('is regional, throttled, and compresses on its own from 1 KiB', () => {
    dev.template.hasResourceProperties('AWS::ApiGateway::RestApi', {
      EndpointConfiguration: { Types: ['REGIONAL'] },
      MinimumCompressionSize: 1024,
    });
    dev.template.hasResourceProperties('AWS::ApiGateway::Stage', {
      StageName: 'dev',
      MethodSettings: [
        Match.objectLike({ ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100, DataTraceEnabled: false }),
      ],
    });
  });

  it('takes any method on each group, below it, and on everything else', () => {
    const methods = Object.values(dev.template.findResources('AWS::ApiGateway::Method'));
    expect(methods.map(({ Properties }) => Properties.HttpMethod)).toEqual(Array(66).fill('ANY'));
    // Preflights reach the functions, which know the sites' origins: nothing in front asks for credentials.
    expect(new Set(methods.map(({ Properties }) => Properties.AuthorizationType))).toEqual(new Set(['NONE']));
    const parts = Object.values(dev.template.findResources('AWS::ApiGateway::Resource')).map(
      ({ Properties }) => Properties.PathPart,
    );
    expect(parts.sort()).toEqual(
      [
        'alerts',
        'api',
        'articles',
        'audit',
        'brands',
        'calendars',
        'channels',
        'companies',
        'connections',
        'boards',
        'console',
        'custom_fields',
        'deliveries',
        'docs',
        'doorbells',
        'freshness',
        'groups',
        'imports',
        'insights3',
        'labels',
        'macros',
        'report_definitions',
        'saved_reports',
        'session',
        'shared_boards',
        'site',
        'sla_policies',
        'sources',
        'subscriptions',
        'tokens',
        'topics',
        'unsubscribe',
        'users',
        'v2',
        ...Array(33).fill('{proxy+}'),
      ].sort(),
    );
  });

  it('asks one permission a function', () => {
    const callers = Object.values(dev.template.findResources('AWS::Lambda::Permission')).filter(
      ({ Properties }) => Properties.Principal === 'apigateway.amazonaws.com',
    );
    expect(callers).toHaveLength(6);
  });

  it('answers in our words where no function is asked', () => {
    const answers = Object.values(dev.template.findResources('AWS::ApiGateway::GatewayResponse')).map(
      ({ Properties }) => Properties,
    );
    for (const { ResponseType, StatusCode, ResponseTemplates } of answers) {
      expect(ResponseTemplates['application/json']).toMatch(/^\{"message":.+\}$/);
      if (ResponseType.startsWith('DEFAULT_')) expect(StatusCode).toBeUndefined();
    }
    expect(answers).toContainEqual(
      expect.objectContaining({
        ResponseType: 'THROTTLED',
        StatusCode: '429',
        ResponseTemplates: { 'application/json': '{"message":"Too Many Requests"}' },
        ResponseParameters: expect.objectContaining({
          'gatewayresponse.header.X-Rate-Limit-Reset': "'1'",
          'gatewayresponse.header.X-Rate-Limit-Remaining': "'0'",
          'gatewayresponse.header.Retry-After': "'1'",
          'gatewayresponse.header.X-Request-Id': 'context.requestId',
          'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
          'gatewayresponse.header.Strict-Transport-Security': "'max-age=31536000'",
        }),
      }),
    );
  });

  it('has its own domain only where the context names one', () => {
    dev.template.resourceCountIs('AWS::ApiGateway::DomainName', 0);
    prod.template.hasResourceProperties('AWS::ApiGateway::DomainName', { DomainName: '*.support.example.com' });
    prod.template.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: true });
    prod.template.hasOutput('BaseUrl', { Value: 'https://*.support.example.com/' });
  });

  it('takes TLS 1.2 on its domain, and 1.3 beside it by option', () => {
    const context = {
      ...{ stage: 'dev', domain: 'support.example.com' },
      certificate: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b-2c',
    };
    synthesize(context).template.hasResourceProperties('AWS::ApiGateway::DomainName', {
      SecurityPolicy: 'TLS_1_2',
      EndpointAccessMode: Match.absent(),
    });
    synthesize({ ...context, tls13: 'on' }).template.hasResourceProperties('AWS::ApiGateway::DomainName', {
      SecurityPolicy: Match.stringLikeRegexp('^SecurityPolicy_TLS13_1_2_'),
      EndpointAccessMode: 'BASIC',
    });
  });

  it('counts each method by option, since that is paid for', () => {
    const counts = (template: typeof dev.template) =>
      Object.values(template.findResources('AWS::ApiGateway::Stage')).flatMap(({ Properties }) =>
        Properties.MethodSettings.map(({ MetricsEnabled }: { MetricsEnabled: boolean }) => MetricsEnabled),
      );
    expect(counts(dev.template)).toEqual([false]);
    expect(counts(synthesize({ stage: 'dev', detailedMetrics: 'on' }).template)).toEqual([true]);
  });

  it('keeps its own log in the stack, and sets the role of the account only where it is asked to', () => {
    dev.template.hasResourceProperties('AWS::Logs::LogGroup', {
      LogGroupName: { 'Fn::Join': ['', ['API-Gateway-Execution-Logs_', Match.anyValue(), '/dev']] },
      RetentionInDays: 7,
    });
    dev.template.resourceCountIs('AWS::ApiGateway::Account', 1);
    synthesize({ stage: 'dev', gatewayRole: 'off' }).template.resourceCountIs('AWS::ApiGateway::Account', 0);
  });

  it('logs of each request what the function and the gateway made of it, how long it took, and by which TLS', () => {
    const [{ Properties } = { Properties: {} }] = Object.values(dev.template.findResources('AWS::ApiGateway::Stage'));
    expect(Object.values(JSON.parse(Properties.AccessLogSetting.Format))).toEqual(
      expect.arrayContaining([
        ...['status', 'responseLatency', 'error.responseType', 'tlsVersion', 'wafResponseCode'].map(
          (name) => `$context.${name}`,
        ),
        ...['status', 'latency', 'error'].map((name) => `$context.integration.${name}`),
      ]),
    );
  });

  it('logs each request without its path, query, headers or body', () => {
    dev.template.hasResourceProperties('AWS::ApiGateway::Stage', {
      AccessLogSetting: {
        Format: Match.not(Match.stringLikeRegexp('context\\.path|requestOverride|authorization|querystring|body')),
      },
    });
  });
});

describe('the web ACL', () => {
  const acl = 'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/ours/0a1b-2c';

  it('slows down single addresses in a stage that is kept, in our words', () => {
    prod.template.hasResourceProperties('AWS::WAFv2::WebACL', {
      Rules: [
        Match.objectLike({
          Statement: { RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 6000 } },
          Action: { Block: { CustomResponse: Match.objectLike({ ResponseCode: 429 }) } },
        }),
      ],
      CustomResponseBodies: {
        TooMany: { ContentType: 'APPLICATION_JSON', Content: '{"message":"Too Many Requests"}' },
      },
    });
    prod.template.resourceCountIs('AWS::WAFv2::WebACLAssociation', 1);
  });

  it('is absent from a disposable stage and where the context says off, and may be one’s own', () => {
    for (const context of [{ stage: 'dev' }, { stage: 'prod', alarmEmail: 'none', webAcl: 'off' }]) {
      synthesize(context).template.resourceCountIs('AWS::WAFv2::WebACLAssociation', 0);
    }
    const { template } = synthesize({ stage: 'dev', webAcl: acl });
    template.resourceCountIs('AWS::WAFv2::WebACL', 0);
    template.hasResourceProperties('AWS::WAFv2::WebACLAssociation', { WebACLArn: acl });
  });
});

describe('the queue', () => {
  it('takes 300 calls a second of each group, as all with groups do: of records, pulls, exports and mails', () => {
    const queues = Object.values(prod.template.findResources('AWS::SQS::Queue')).map(({ Properties }) => Properties);
    const grouped = queues.filter(({ FifoQueue }) => FifoQueue === true);
    expect(grouped).toHaveLength(7); // three with dead letters
    const all = { DeduplicationScope: 'messageGroup', FifoThroughputLimit: 'perMessageGroupId' };
    for (const queue of grouped) expect(queue).toMatchObject(all);
  });

  it('is FIFO, answers for parts of a batch, and has dead letters', () => {
    dev.template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    dev.template.allResourcesProperties('AWS::SQS::Queue', { SqsManagedSseEnabled: true });
    dev.template.resourcePropertiesCountIs('AWS::SQS::Queue', { FifoQueue: true }, 4);
    dev.template.resourcePropertiesCountIs('AWS::SQS::Queue', { ContentBasedDeduplication: true }, 2); // of pulls
    dev.template.hasResourceProperties('AWS::SQS::Queue', { RedrivePolicy: { maxReceiveCount: 5 } });
  });

  it('takes no message that would not fit the dead letters together with a reason', () => {
    const queues = Object.values(dev.template.findResources('AWS::SQS::Queue'))
      .map(({ Properties }) => Properties)
      .filter(({ FifoQueue, MaximumMessageSize }) => FifoQueue === true && MaximumMessageSize !== undefined);
    const [dead] = queues.filter(({ RedrivePolicy }) => RedrivePolicy === undefined);
    const [records] = queues.filter(({ RedrivePolicy }) => RedrivePolicy !== undefined);
    expect(dead.MaximumMessageSize - records.MaximumMessageSize).toBe(4096);
  });

  it('hides a message longer than the function may work on it', () => {
    dev.template.hasResourceProperties('AWS::SQS::Queue', {
      VisibilityTimeout: 6 * FUNCTIONS.ingest.timeout.toSeconds(),
    });
  });
});

describe('the files of imports', () => {
  it('lie in a bucket that nobody else reaches, for a week', () => {
    dev.template.allResourcesProperties('AWS::S3::Bucket', {
      PublicAccessBlockConfiguration: { BlockPublicAcls: true, BlockPublicPolicy: true, RestrictPublicBuckets: true },
      BucketEncryption: Match.anyValue(),
      VersioningConfiguration: Match.absent(),
      LifecycleConfiguration: { Rules: [Match.objectLike({ ExpirationInDays: 7, Status: 'Enabled' })] },
    });
    expect(JSON.stringify(dev.template.findResources('AWS::S3::BucketPolicy'))).toContain('aws:SecureTransport');
  });

  it('may be sent by pages of the service alone', () => {
    const rule = { AllowedMethods: ['POST'], AllowedOrigins: ['https://*.support.example.com'] };
    prod.template.hasResourceProperties('AWS::S3::Bucket', {
      CorsConfiguration: { CorsRules: [Match.objectLike(rule)] },
    });
  });

  it('go with a stage that may be destroyed, and stay with others', () => {
    dev.template.hasResource('AWS::S3::Bucket', { DeletionPolicy: 'Delete' });
    prod.template.hasResource('AWS::S3::Bucket', { DeletionPolicy: 'RetainExceptOnCreate' });
  });

  it('are worked on step by step: so many at once, and a step that dies again and again is put aside', () => {
    dev.template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      BatchSize: 1,
      ScalingConfig: { MaximumConcurrency: 2 },
    });
    dev.template.hasResourceProperties('AWS::SQS::Queue', {
      RedrivePolicy: { maxReceiveCount: 3 },
      VisibilityTimeout: FUNCTIONS.load.timeout.toSeconds() + 60,
    });
    dev.template.resourcePropertiesCountIs('AWS::Lambda::Function', { RecursiveLoop: 'Allow', Timeout: 900 }, 2); // and pulls
  });
});

describe('mails', () => {
  const { template } = synthesize({ stage: 'dev', mailFrom: 'reports@acme.example' });

  it('are sent only where the context names a sender', () => {
    expect(JSON.stringify(dev.template.toJSON())).not.toMatch(/ses:|MAIL_FROM/);
    dev.template.resourceCountIs('AWS::Events::Rule', 2);
  });

  it('are looked for every five minutes, and a run that fails is left to the next', () => {
    template.hasResourceProperties('AWS::Events::Rule', {
      Description: 'Sends the mails that are due',
      ScheduleExpression: 'rate(5 minutes)',
      Targets: [Match.objectLike({ RetryPolicy: { MaximumEventAgeInSeconds: 300, MaximumRetryAttempts: 0 } })],
    });
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: Match.objectLike({ MAIL_FROM: 'reports@acme.example', PUBLIC_URL: Match.anyValue() }),
      },
    });
  });

  it('are known to be sent by the function that answers for them', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      Description: 'Insights meta and reports',
      Environment: { Variables: Match.objectLike({ MAIL_FROM: 'reports@acme.example' }) },
    });
  });

  it('go out as that sender alone, by one function', () => {
    const policies = Object.values(template.findResources('AWS::IAM::Policy')).filter(({ Properties }) =>
      JSON.stringify(Properties).includes('ses:'),
    );
    expect(policies).toHaveLength(1);
    template.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Action: ['ses:SendEmail', 'ses:SendRawEmail'],
            Condition: { StringEquals: { 'ses:FromAddress': 'reports@acme.example' } },
            Resource: [
              'identity/reports@acme.example',
              'identity/acme.example',
              'configuration-set/support-service-dev',
            ].map((name) => ({ 'Fn::Join': ['', Match.arrayWith([Match.stringLikeRegexp(`:${name}$`)])] })),
          }),
        ]),
      },
    });
    template.hasResourceProperties('AWS::SQS::Queue', { FifoQueue: true, MessageRetentionPeriod: 3_600 });
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      BatchSize: 1,
      EventSourceArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^DueMails'), 'Arn'] },
      ScalingConfig: { MaximumConcurrency: 10 },
    });
    expect(FUNCTIONS.deliver.writes).toEqual(['site#*#lock', 'engine#lock', 'site#*#deliveries']);
    expect(FUNCTIONS.deliver.keeps).toEqual(['site#*#ended', 'site#*#audit']);
  });

  it('that an address did not take are told to that function, of bounces and complaints of this stage alone', () => {
    const [set] = Object.keys(template.findResources('AWS::SES::ConfigurationSet'));
    template.hasResourceProperties('AWS::SES::ConfigurationSet', {
      Name: 'support-service-dev',
      SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
    });
    template.hasResourceProperties('AWS::SES::ConfigurationSetEventDestination', {
      ConfigurationSetName: { Ref: set },
      EventDestination: {
        Enabled: true,
        MatchingEventTypes: ['bounce', 'complaint'],
        EventBridgeDestination: {
          EventBusArn: { 'Fn::Join': ['', Match.arrayWith([':event-bus/default'])] },
        },
      },
    });
    const rule = {
      EventPattern: {
        source: ['aws.ses'],
        'detail-type': ['Email Bounced', 'Email Complaint Received'],
        detail: { mail: { tags: { 'ses:configuration-set': ['support-service-dev'] } } },
      },
    };
    const [bounced = ''] = Object.keys(template.findResources('AWS::Events::Rule', { Properties: rule }));
    template.hasResourceProperties('AWS::Events::Rule', {
      ...rule,
      Targets: [{ Arn: { Ref: Match.stringLikeRegexp('^Deliver') } }],
    });
    template.hasResourceProperties('AWS::Lambda::Permission', {
      Principal: 'events.amazonaws.com',
      SourceArn: { 'Fn::GetAtt': [bounced, 'Arn'] },
    });
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: Match.stringLikeRegexp('^Deliver') },
      ...{ MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 3600 },
    });
  });
});

describe('the warehouse', () => {
  const { template } = prod;
  const inCatalog = Object.values(template.findResources('AWS::Glue::Table')).map(
    ({ Properties }) => Properties.TableInput,
  );
  const tables = inCatalog.filter(({ TableType }) => TableType === 'EXTERNAL_TABLE');

  it('is there only where the context says so', () => {
    for (const type of ['AWS::Glue::Database', 'AWS::Glue::Table', 'AWS::Athena::WorkGroup'])
      dev.template.resourceCountIs(type, 0);
    dev.template.resourceCountIs('AWS::S3::Bucket', 1);
    expect(JSON.stringify(dev.template.toJSON())).not.toContain('EXPORT_URL');
  });

  it('lies in a bucket that keeps no versions of erased people, and drops results of queries', () => {
    template.hasResource('AWS::S3::Bucket', {
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: {
        PublicAccessBlockConfiguration: { BlockPublicAcls: true, BlockPublicPolicy: true, RestrictPublicBuckets: true },
        VersioningConfiguration: Match.absent(),
        LifecycleConfiguration: {
          Rules: Match.arrayWith([Match.objectLike({ Prefix: 'results/', ExpirationInDays: 7 })]),
        },
      },
    });
  });

  it('is exported at night and after imports, sites side by side, listed in the morning, and tells of what failed', () => {
    const exports = Object.keys(template.findResources('AWS::SQS::Queue')).find((id) => id.startsWith('Exports'));
    template.hasResourceProperties('AWS::SQS::Queue', {
      ...{ FifoQueue: true, VisibilityTimeout: FUNCTIONS.warehouse.timeout.toSeconds() + 60 },
      RedrivePolicy: { maxReceiveCount: 3 },
    });
    template.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'cron(0 2 * * ? *)',
      Targets: [Match.objectLike({ SqsParameters: { MessageGroupId: EXPORT_GROUP } })],
    });
    template.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'cron(0 5 * * ? *)',
      Targets: [Match.objectLike({ InputTransformer: { InputTemplate: Match.stringLikeRegexp('"list":true') } })],
    });
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      ...{ BatchSize: 1, ScalingConfig: { MaximumConcurrency: 8 } },
    });
    const senders = functionsOf(template).filter(
      ({ Properties }) => Properties.Environment.Variables.EXPORT_URL?.Ref === exports,
    );
    expect(senders).toHaveLength(4); // also the two that compute reports
  });

  it('has tables whose partitions follow from the conditions of a query, with the columns of the files', () => {
    expect(tables.map(({ Name }) => Name).sort()).toEqual([...TABLE_NAMES].sort());
    for (const { Name, PartitionKeys, Parameters, StorageDescriptor } of tables) {
      const { columns, byMonth } = TABLES[Name as WarehouseTable];
      expect(PartitionKeys.map((key: { Name: string }) => key.Name)).toEqual(byMonth ? ['site', 'month'] : ['site']);
      expect(StorageDescriptor.Columns.map((column: { Name: string }) => column.Name)).toEqual(
        columns.map(({ name }) => name).filter((name) => name !== 'site'),
      );
      const filled = JSON.stringify(Parameters['storage.location.template']).replace(
        /\$\{(site|month)\}/g,
        (_, name) => (name === 'site' ? 'acme' : '2026-03'),
      );
      expect(filled).toContain(`/${listFolder(Name, 'acme', '2026-03')}/`);
    }
  });

  it('has no views, since the windows of a report are those of one site', () => {
    expect(inCatalog).toHaveLength(tables.length);
    expect(JSON.stringify(template.toJSON()).length).toBeLessThan(1e6); // CloudFormation takes a megabyte
  });

  it('is asked by the functions that compute reports alone, in a workgroup of their own', () => {
    template.hasResourceProperties('AWS::Athena::WorkGroup', {
      Name: 'support-service-prod-reports',
      WorkGroupConfiguration: { EnforceWorkGroupConfiguration: true, BytesScannedCutoffPerQuery: 200e9 },
    });
    const asking = Object.entries(template.findResources('AWS::IAM::Policy')).flatMap(([id, { Properties }]) => {
      const all: { Sid?: string; Action: string | string[]; Resource: unknown }[] = Properties.PolicyDocument.Statement;
      const rights = all.filter(({ Action }) => /athena:|glue:/.test(JSON.stringify(Action)));
      return rights.map(({ Sid, Action, Resource }) => ({
        role: id.slice(0, 4),
        Sid,
        Action,
        where: JSON.stringify(Resource),
      }));
    });
    expect(asking.map(({ role, Sid }) => `${role} ${Sid}`).sort()).toEqual([
      'Deli Query',
      'Deli SeeTables',
      'Insi Query',
      'Insi SeeTables',
    ]);
    for (const { where } of asking)
      expect(where).toMatch(/:workgroup\/support-service-prod-reports"|:database\/support_service_prod"/);
    const variables = functionsOf(template).filter(
      ({ Properties }) => Properties.Environment.Variables.ATHENA_DATABASE !== undefined,
    );
    expect(variables).toHaveLength(2);
  });

  it('is reached by its function alone, and by that only where exports write', () => {
    const statements = Object.values(template.findResources('AWS::IAM::Policy')).flatMap(
      ({ Properties }) => Properties.PolicyDocument.Statement,
    );
    const keeping = statements.filter(({ Sid }) => Sid === 'KeepFacts');
    expect(keeping).toHaveLength(1);
    const ends = keeping[0].Resource.map((one: { 'Fn::Join': [string, string[]] }) => one['Fn::Join'][1].at(-1));
    expect(ends.sort()).toEqual([...WRITTEN_KEYS, 'views.sql'].map((key) => `/${key}`).sort());
    expect(ends.some((end: string) => end.startsWith('/results') || end === '/*')).toBe(false);
  });
});

describe('operations', () => {
  it('fold history every five minutes, and try again within these', () => {
    dev.template.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(5 minutes)',
      Targets: [Match.objectLike({ RetryPolicy: { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 300 } })],
    });
  });

  it('raise alarms, each on one metric, each of which tells somebody', () => {
    const alarms = Object.values(prod.template.findResources('AWS::CloudWatch::Alarm'));
    expect(alarms.length).toBeGreaterThan(0);
    for (const { Properties } of alarms) {
      expect(Properties.AlarmActions).toHaveLength(1);
      expect(Properties.OKActions).toEqual(Properties.AlarmActions);
      const { MetricName, Metrics = [{ MetricStat: { Metric: { MetricName } } }] } = Properties;
      const metrics = Metrics.flatMap((one: { MetricStat?: object }) => one.MetricStat ?? []);
      expect(metrics).toEqual([
        expect.objectContaining({ Metric: expect.objectContaining({ MetricName: expect.any(String) }) }),
      ]);
    }
    prod.template.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'ops@example.com' });
  });

  it('count dead letters by how much their queue has grown, since what SQS itself moves counts as no message sent', () => {
    prod.template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Metrics: [
        Match.objectLike({ Expression: 'DIFF(depth)' }),
        Match.objectLike({
          Id: 'depth',
          MetricStat: Match.objectLike({
            Metric: Match.objectLike({ MetricName: 'ApproximateNumberOfMessagesVisible' }),
            Stat: 'Maximum',
          }),
        }),
      ],
      Threshold: 0,
    });
  });

  it('let CloudWatch alone publish to the topic that every alarm names and that mails somebody', () => {
    const [topic] = Object.keys(prod.template.findResources('AWS::SNS::Topic'));
    for (const { Properties } of Object.values(prod.template.findResources('AWS::CloudWatch::Alarm'))) {
      expect(Properties.AlarmActions).toEqual([{ Ref: topic }]);
    }
    prod.template.hasResourceProperties('AWS::SNS::Subscription', { TopicArn: { Ref: topic } });
    const [policy] = Object.values(prod.template.findResources('AWS::SNS::TopicPolicy'));
    expect(policy?.Properties.Topics).toEqual([{ Ref: topic }]);
    const allowed = policy?.Properties.PolicyDocument.Statement.filter(
      ({ Effect }: { Effect: string }) => Effect === 'Allow',
    );
    expect(allowed).toEqual([
      {
        Sid: 'AlarmsOfThisAccount',
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: 'sns:Publish',
        Resource: { Ref: topic },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      },
    ]);
  });

  it('tell when compaction runs no more, though not before it ran first', () => {
    const [topic] = Object.keys(dev.template.findResources('AWS::SNS::Topic'));
    dev.template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'Invocations',
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'missing',
      InsufficientDataActions: [{ Ref: topic }],
    });
  });

  it('keep what a run of the schedule left that never began or always failed', () => {
    const target = { DeadLetterConfig: { Arn: Match.anyValue() } };
    dev.template.hasResourceProperties('AWS::Events::Rule', { Targets: [Match.objectLike(target)] });
    dev.template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      DestinationConfig: { OnFailure: Match.anyValue() },
    });
  });

  it('watch the certificate of a domain', () => {
    prod.template.hasResourceProperties('AWS::CloudWatch::Alarm', { MetricName: 'DaysToExpiry', Threshold: 21 });
  });

  it('tell of mails put off, and of every schedule that stopped', () => {
    const alarms = Object.values(prod.template.findResources('AWS::CloudWatch::Alarm')).map(
      ({ Properties }) => Properties,
    );
    expect(alarms.filter(({ MetricName }) => MetricName === 'putOff')).toHaveLength(1);
    const missing = alarms.filter(
      ({ MetricName, TreatMissingData }) => [MetricName, TreatMissingData].join() === 'Invocations,missing',
    );
    expect(missing).toHaveLength(4);
    const rules = Object.values(prod.template.findResources('AWS::Events::Rule'));
    const scheduled = rules.filter(({ Properties }) => Properties.ScheduleExpression !== undefined);
    expect(scheduled).toHaveLength(missing.length + 1); // the list of the warehouse has dead letters alone
  });

  it('count refused sign-ins by the lines of the functions, which know rate limits from guesses', () => {
    dev.template.resourceCountIs('AWS::Logs::MetricFilter', 0);
    dev.template.hasResourceProperties('AWS::CloudWatch::Alarm', { MetricName: 'refusedSignIns' });
    const lines = [
      [{ status: 401 }, true],
      [{ status: 429 }, true],
      [{ status: 429, user: 'ann@acme.example' }, false],
      [{ status: 200, user: 'ann@acme.example' }, false],
      [{ status: 404 }, false],
    ] as const;
    for (const [line, refused] of lines) expect([line, isRefusedSignIn(line)]).toEqual([line, refused]);
  });

  it('shift traffic by option, and back if a function dies or logs a failure', () => {
    dev.template.resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
    const { template } = synthesize({ stage: 'dev', canary: 'on' });
    const groups = Object.values(template.findResources('AWS::CodeDeploy::DeploymentGroup'));
    expect(groups).toHaveLength(7);
    for (const { Properties } of groups) {
      expect(Properties.AlarmConfiguration.Alarms).toHaveLength(2);
      expect(Properties.AutoRollbackConfiguration.Events).toContain('DEPLOYMENT_STOP_ON_ALARM');
    }
    const aliases = Object.values(template.findResources('AWS::Lambda::Alias'));
    expect(aliases.filter(({ UpdatePolicy }) => UpdatePolicy?.CodeDeployLambdaAliasUpdate)).toHaveLength(7);
  });

  it('bear the tags of their stage where they stay without it, and docs/deploy.md removes each kind', () => {
    const document = readFileSync('docs/deploy.md', 'utf8');
    const stays = Object.values(prod.template.toJSON().Resources as Record<string, Staying>).filter(
      ({ DeletionPolicy = '' }) => DeletionPolicy.startsWith('Retain'),
    );
    // Versions go with their function; the role of the gateway's log serves all stages of a region.
    const own = stays.filter(({ Type }) => !/^AWS::(Lambda::Version|IAM::Role|ApiGateway::Account)$/.test(Type));
    const kinds = ['DynamoDB::Table', 'Logs::LogGroup', 'S3::Bucket', 'SQS::Queue', 'SecretsManager::Secret'];
    expect([...new Set(own.map(({ Type }) => Type.replace('AWS::', '')))].sort()).toEqual(kinds);
    for (const kind of kinds) expect(document).toContain(`\nof ${kind} | xargs `);
    const tags = [
      { Key: 'service', Value: 'support-service' },
      { Key: 'stage', Value: 'prod' },
    ];
    for (const { Type, Properties } of own)
      expect([Type, Properties.Tags]).toEqual([Type, expect.arrayContaining(tags)]);
  });

  it('name every function and its log', () => {
    for (const name of Object.keys(FUNCTIONS))
      for (const of of ['Function', 'LogGroup'])
        prod.template.hasOutput(`${name.charAt(0).toUpperCase()}${name.slice(1)}${of}`, {});
  });

  it('tell of what a stage costs only where the context names a budget', () => {
    prod.template.resourceCountIs('AWS::Budgets::Budget', 0);
    const context = { stage: 'dev-ann', alarmEmail: 'ops@example.com', monthlyBudget: '50' };
    synthesize(context).template.hasResourceProperties('AWS::Budgets::Budget', {
      Budget: {
        BudgetLimit: { Amount: 50, Unit: 'USD' },
        CostFilters: { TagKeyValue: ['user:stage$dev-ann'] },
      },
    });
  });

  it('cost by the month what docs/cost.md says: alarms, and metrics of each method', () => {
    const document = readFileSync('docs/cost.md', 'utf8');
    const alarmsOf = (context: Readonly<Record<string, string>>) =>
      Object.keys(
        synthesize({ stage: 'prod', alarmEmail: 'none', ...context }).template.findResources('AWS::CloudWatch::Alarm'),
      ).length;
    const usual = alarmsOf({});
    const more = (context: Readonly<Record<string, string>>) => alarmsOf(context) - usual;
    const methods = Object.keys(prod.template.findResources('AWS::ApiGateway::Method')).length;
    const polled = (context: Readonly<Record<string, string>>) =>
      Object.keys(synthesize({ stage: 'dev', ...context }).template.findResources('AWS::Lambda::EventSourceMapping'))
        .length;
    expect([polled({}), polled({ warehouse: 'on' }), polled({ mailFrom: 'reports@acme.example' })]).toEqual([3, 4, 4]);
    prod.template.resourceCountIs('AWS::KMS::Key', 0); // the services' own keys cost nothing
    for (const sentence of [
      `| ${usual} alarms at $0.10, one more with a domain | ${(usual / 10).toFixed(2)} |`,
      'polling of three idle queues',
      'one more with a warehouse, and one with mails',
      `a function and ${more({ warehouse: 'on' })} alarms`,
      `a function and ${more({ mailFrom: 'reports@acme.example' })} alarms, \`-c canary=on\` ${more({ canary: 'on' })} alarms`,
      `${methods} methods, five metrics each, $${methods * 1.5} a month`,
    ])
      expect(document).toContain(sentence);
    const said = `each of its ${methods} methods, for about $${methods * 1.5} a month`;
    expect(readFileSync('docs/deploy.md', 'utf8')).toContain(said);
  });

  it('explain each alarm in a chapter of docs/operations.md, with the command that its mail has', () => {
    const document = readFileSync('docs/operations.md', 'utf8');
    const chapters = new Map(
      document
        .split(/^### /m)
        .map((chapter) => [chapter.split('\n')[0]?.toLowerCase(), chapter.replace(/<\w+>/g, '<>')]),
    );
    const groups = prod.template.findResources('AWS::Logs::LogGroup');
    const queues = prod.template.findResources('AWS::SQS::Queue');
    for (const [id, { Properties }] of Object.entries(prod.template.findResources('AWS::CloudWatch::Alarm'))) {
      const description = Properties.AlarmDescription;
      const parts: (string | { Ref: string })[] = description['Fn::Join']?.[1] ?? [description];
      const text = parts.map((part) => {
        if (typeof part === 'string') return part.replace(/arn:aws:acm\S+/, '<>');
        expect(groups[part.Ref] ?? queues[part.Ref]).toBeDefined();
        return '<>';
      });
      const [meaning = '', address = '', command = ''] = text.join('').split('\n');
      expect([id, meaning.length > 20, address.startsWith('docs/operations.md#')]).toEqual([id, true, true]);
      expect(chapters.get(address.split('#')[1]) ?? '').toContain(`\n${command}\n`);
      expect(JSON.stringify(description).length).toBeLessThan(1000); // CloudWatch takes 1,024 characters
    }
    const address = { runbook: 'https://wiki.example.com/operations' };
    synthesize({ stage: 'dev', ...address }).template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmDescription: Match.objectLike({
        'Fn::Join': ['', Match.arrayWith([Match.stringLikeRegexp(`\n${address.runbook}#servererrors\n`)])],
      }),
    });
  });

  it('look at metrics that no other stage shares', () => {
    for (const [{ template }, name] of [
      [dev, 'support-service-dev'],
      [prod, 'support-service-prod'],
    ] as const) {
      template.hasResourceProperties('AWS::ApiGateway::RestApi', { Name: name });
      template.hasResourceProperties('AWS::CloudWatch::Alarm', { Dimensions: [{ Name: 'ApiName', Value: name }] });
    }
  });

  it('show on one dashboard', () => {
    dev.template.resourceCountIs('AWS::CloudWatch::Dashboard', 1);
  });
});
