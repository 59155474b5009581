#!/usr/bin/env node
// The SDK warns about Node 20 when it is imported, so this must be set before any import.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const { load } = await import('./program.js');
const { runCommand } = await load('infra/cli/support.ts');
process.exitCode = await runCommand(process.argv.slice(2));
