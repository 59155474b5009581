import { type Engine, startEngine } from './engine.ts';

declare global {
  var engine: Engine | undefined;
}

/** One engine in memory for the whole run, unless `TEST_ENDPOINT` names another. */
export default async function setUp(): Promise<void> {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  if (process.env.TEST_ENDPOINT) return;
  globalThis.engine = await startEngine();
  process.env.TEST_ENDPOINT = globalThis.engine.endpoint;
}
