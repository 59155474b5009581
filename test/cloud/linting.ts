import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withFolder } from '../support/service/program.ts';
import { mustRun } from './command.ts';
import { pythonPrograms } from './python.ts';

const CFN_LINT = 'cfn-lint==1.58.0';
const EVERYTHING = {
  stage: 'prod',
  alarmEmail: 'none',
  warehouse: 'on',
  mailFrom: 'reports@acme.example',
  canary: 'on',
};
const TWICE = 'W3005'; // a dependency that is named where it follows anyway, as the CDK does for each role

/** Has cfn-lint look at the template of a stage with everything; throws with what it finds. */
export async function lintTemplate(): Promise<void> {
  const programs = await pythonPrograms([CFN_LINT]);
  const context = Object.entries(EVERYTHING).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  await withFolder(async (folder) => {
    await mustRun('npx', ['cdk', 'synth', '--quiet', ...context, '--output', folder], {});
    const templates = (await readdir(folder)).filter((name) => name.endsWith('.template.json'));
    const paths = templates.map((name) => join(folder, name));
    await mustRun(join(programs, 'cfn-lint'), ['--ignore-checks', TWICE, '--', ...paths], {});
  });
}
