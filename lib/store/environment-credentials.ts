import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * What the bundles of functions have in the place of the SDK's chain of credential providers (infra/bundle.ts): Lambda gives a
 * function its role's credentials in the environment and nowhere else, and the chain brings 90 KiB of clients for other places.
 */
export const defaultProvider = (): ReturnType<typeof fromEnv> => fromEnv();
