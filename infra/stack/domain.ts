import { CfnOutput } from 'aws-cdk-lib';
import {
  BasePathMapping,
  DomainName,
  EndpointAccessMode,
  EndpointType,
  type RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Construct } from 'constructs';
import type { Deployment } from './context.ts';

/** TLS 1.3 and 1.2, with forward secrecy. Policies of this kind need an access mode. */
const TLS_1_3 = {
  securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: EndpointAccessMode.BASIC,
} as const;

/**
 * Maps a custom host name, or a wildcard for many sites, to the API. Its DNS record must point to the target in the
 * output.
 */
export function addDomain(scope: Construct, { domain, certificate, tls13 }: Deployment, api: RestApi): void {
  if (domain === undefined || certificate === undefined) return;
  const name = new DomainName(scope, 'Domain', {
    domainName: domain,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificate),
    endpointType: EndpointType.REGIONAL,
    ...(tls13 === 'on' ? TLS_1_3 : { securityPolicy: SecurityPolicy.TLS_1_2 }),
  });
  new BasePathMapping(scope, 'DomainMapping', { domainName: name, restApi: api });
  new CfnOutput(scope, 'DomainTarget', { value: name.domainNameAliasDomainName, description: 'CNAME target' });
}
