import { CfnOutput } from 'aws-cdk-lib';
import { BasePathMapping, DomainName, EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Construct } from 'constructs';
import type { Deployment } from './context.ts';

/**
 * Maps a custom host name, or a wildcard for many sites, to the API. Its DNS record must point to the target in the
 * output.
 */
export function addDomain(scope: Construct, { domain, certificate }: Deployment, api: RestApi): void {
  if (domain === undefined || certificate === undefined) return;
  const name = new DomainName(scope, 'Domain', {
    domainName: domain,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificate),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
  new BasePathMapping(scope, 'DomainMapping', { domainName: name, restApi: api });
  new CfnOutput(scope, 'DomainTarget', { value: name.domainNameAliasDomainName, description: 'CNAME target' });
}
