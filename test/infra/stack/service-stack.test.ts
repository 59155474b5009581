import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { FUNCTIONS } from '../../../infra/stack/functions.ts';
import { PERMISSIONS } from '../../../infra/stack/permissions.ts';
import { synthesize } from '../../support/service/stack.ts';

const dev = synthesize({ stage: 'dev' });
const prod = synthesize({
  stage: 'prod',
  tracing: 'on',
  alarmEmail: 'ops@example.com',
  domain: '*.support.example.com',
  certificate: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b-2c',
});

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
      ['staging', 'Retain'],
    ] as const) {
      const { template } = synthesize({ stage });
      template.hasResource('AWS::DynamoDB::Table', { DeletionPolicy: policy });
      template.allResources('AWS::SQS::Queue', { DeletionPolicy: policy });
    }
  });

  it('may be one that was restored from a backup', () => {
    const { template } = synthesize({ stage: 'dev', table: 'restored' });
    template.resourceCountIs('AWS::DynamoDB::Table', 0);
    for (const { Properties } of functionsOf(template)) {
      expect(Properties.Environment.Variables.TABLE_NAME).toBe('restored');
    }
  });
});

describe('the functions', () => {
  it('are on arm64 and Node 24, each with its own log group, role and time limit', () => {
    const found = functionsOf(dev.template);
    expect(found).toHaveLength(Object.keys(FUNCTIONS).length);
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
    expect(aliases).toHaveLength(Object.keys(FUNCTIONS).length);
    dev.template.allResources('AWS::Lambda::Version', { DeletionPolicy: 'Retain' });
    const called = JSON.stringify([
      dev.template.findResources('AWS::ApiGateway::Method'),
      dev.template.findResources('AWS::Lambda::EventSourceMapping'),
      dev.template.findResources('AWS::Events::Rule'),
    ]);
    for (const alias of aliases) expect(called).toContain(alias);
  });

  it('leave one another room: reports and the queue run so many at once', () => {
    const reserved = (template: typeof dev.template) =>
      functionsOf(template).flatMap(({ Properties }) => Properties.ReservedConcurrentExecutions ?? []);
    expect([reserved(dev.template), reserved(prod.template)]).toEqual([[], [50]]);
    dev.template.hasResourceProperties('AWS::Lambda::EventSourceMapping', { ScalingConfig: { MaximumConcurrency: 5 } });
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
  const statements = Object.values(dev.template.findResources('AWS::IAM::Policy')).flatMap(
    ({ Properties }) => Properties.PolicyDocument.Statement as Record<string, unknown>[],
  );

  it('bind every action on the table to leading keys', () => {
    const onTable = statements.filter((statement) => JSON.stringify(statement.Action).includes('dynamodb:'));
    expect(onTable).toHaveLength(
      Object.values(PERMISSIONS).flatMap(({ reads, writes }) => [reads, writes].filter((keys) => keys.length > 0))
        .length,
    );
    for (const { Condition, Resource } of onTable) {
      expect(Condition).toMatchObject({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': expect.any(Array) } });
      expect(Resource).toEqual({ 'Fn::GetAtt': [expect.stringMatching(/^Table/), 'Arn'] });
    }
  });

  it('hold no wildcard action and no wildcard resource', () => {
    for (const { Action, Resource } of statements) {
      expect(JSON.stringify(Action)).not.toContain('*');
      expect(Resource).not.toBe('*');
    }
  });

  it('let no report write history, no topic see macros, no folding see users', () => {
    const signIn = ['site#*#repeat', 'site#*#audit', 'site#*#user', 'site#*#token', 'site#*#guess', 'site#*#rate'];
    expect(PERMISSIONS.insights.writes).toEqual(['site#*#lock', 'site#*#ids', 'site#*#saved-reports', ...signIn]);
    expect(PERMISSIONS.topics.reads).not.toContain('site#*#macros');
    expect(PERMISSIONS.compact.reads).not.toContain('site#*#user');
    expect(PERMISSIONS.compact.writes).not.toContain('site#*#user');
    for (const name of ['topics', 'macros', 'insights', 'compact'] as const) {
      expect(PERMISSIONS[name].writes).not.toContain('site#*#settings');
    }
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
    expect(methods.map(({ Properties }) => Properties.HttpMethod)).toEqual(Array(36).fill('ANY'));
    // Preflights reach the functions, which know the sites' origins: nothing in front asks for credentials.
    expect(new Set(methods.map(({ Properties }) => Properties.AuthorizationType))).toEqual(new Set(['NONE']));
    const parts = Object.values(dev.template.findResources('AWS::ApiGateway::Resource')).map(
      ({ Properties }) => Properties.PathPart,
    );
    expect(parts.sort()).toEqual(
      [
        'api',
        'articles',
        'audit',
        'brands',
        'channels',
        'companies',
        'console',
        'custom_fields',
        'docs',
        'groups',
        'imports',
        'insights3',
        'labels',
        'macros',
        'report_definitions',
        'saved_reports',
        'topics',
        'users',
        'v2',
        ...Array(18).fill('{proxy+}'),
      ].sort(),
    );
  });

  it('asks one permission a function', () => {
    const callers = Object.values(dev.template.findResources('AWS::Lambda::Permission')).filter(
      ({ Properties }) => Properties.Principal === 'apigateway.amazonaws.com',
    );
    expect(callers).toHaveLength(5);
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

  it('keeps its own log in the stack, and sets the role of the account only where it is asked to', () => {
    dev.template.hasResourceProperties('AWS::Logs::LogGroup', {
      LogGroupName: { 'Fn::Join': ['', ['API-Gateway-Execution-Logs_', Match.anyValue(), '/dev']] },
      RetentionInDays: 7,
    });
    dev.template.resourceCountIs('AWS::ApiGateway::Account', 1);
    synthesize({ stage: 'dev', gatewayRole: 'off' }).template.resourceCountIs('AWS::ApiGateway::Account', 0);
  });

  it('logs each request without its query, headers or body', () => {
    dev.template.hasResourceProperties('AWS::ApiGateway::Stage', {
      AccessLogSetting: { Format: Match.not(Match.stringLikeRegexp('authorization|querystring|body')) },
    });
  });
});

describe('the queue', () => {
  it('is FIFO, answers for parts of a batch, and has dead letters', () => {
    dev.template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    dev.template.allResourcesProperties('AWS::SQS::Queue', { SqsManagedSseEnabled: true });
    dev.template.resourcePropertiesCountIs('AWS::SQS::Queue', { FifoQueue: true }, 2);
    dev.template.resourcePropertiesCountIs('AWS::SQS::Queue', { ContentBasedDeduplication: true }, 0);
    dev.template.hasResourceProperties('AWS::SQS::Queue', { RedrivePolicy: { maxReceiveCount: 5 } });
  });

  it('takes no message that would not fit the dead letters together with a reason', () => {
    const queues = Object.values(dev.template.findResources('AWS::SQS::Queue'))
      .map(({ Properties }) => Properties)
      .filter(({ FifoQueue }) => FifoQueue === true);
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
    prod.template.hasResource('AWS::S3::Bucket', { DeletionPolicy: 'Retain' });
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
    dev.template.resourcePropertiesCountIs('AWS::Lambda::Function', { RecursiveLoop: 'Allow', Timeout: 900 }, 1);
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
      expect(Properties.MetricName).toEqual(expect.any(String));
    }
    prod.template.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'ops@example.com' });
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

  it('tell when compaction does not run at all', () => {
    dev.template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'Invocations',
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
    });
  });

  it('warn at synth of a kept stage whose alarms nobody hears', () => {
    const warnings = (stack: Stack) =>
      Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('alarmEmail'));
    expect(warnings(synthesize({ stage: 'staging' }).stack)).toHaveLength(1);
    expect([warnings(dev.stack), warnings(prod.stack)]).toEqual([[], []]);
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

  it('explain each alarm in docs/operations.md', () => {
    const document = readFileSync('docs/operations.md', 'utf8');
    const explained = [...document.matchAll(/^\| ([A-Z]\w+(?:, \w+)*) \|/gm)].flatMap(([, names = '']) =>
      names.split(', '),
    );
    const alarms = Object.keys(dev.template.findResources('AWS::CloudWatch::Alarm'));
    expect(explained.sort()).toEqual(alarms.map((id) => id.replace(/Alarm[0-9A-F]{8}$/, '')).sort());
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
