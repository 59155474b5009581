import { demoLogin } from '../../infra/demo/users.ts';
import { settle, signIn, visit } from '../support/service/browser.ts';
import { loadFile } from '../support/service/console-api.ts';
import { served, serveInBrowser } from '../support/service/console-service.ts';
import { describeInBrowser } from '../support/service/in-browser.ts';
import { run } from '../support/service/program.ts';

/** Makes a site without any case, whose Administrator has the login of the demo site's. */
async function addEmptySite(folder: string): Promise<string> {
  const password = 'a password of its own';
  await run(['site', 'add', 'fresh', '--default', '--data-dir', folder]);
  const user = ['--site', 'fresh', '--login', demoLogin('Administrator'), '--role', 'Administrator'];
  const { status, err } = await run(['user', 'add', ...user, '--password-stdin', '--data-dir', folder], {
    input: `${password}\n`,
  });
  if (status !== 0) throw new Error(err);
  return password;
}

describeInBrowser('a site without cases', () => {
  serveInBrowser(addEmptySite);

  it('says what its files do not tell with the first cases, and no more once they are removed, without a reload', async () => {
    const { page, errors } = await visit(served.browser(), `${served.service().url}/console`);
    await signIn(page, { password: served.password() });
    await settle(page);
    const go = async (name: string): Promise<void> => {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
      await settle(page);
    };
    const told = page.locator('.covered').filter({ hasText: /No data on .*resolves.* in your files\./ });
    await page.getByRole('link', { name: 'Import a file' }).waitFor();
    await loadFile('list.csv', 'id,opened\nL-1,2026-02-02T09:00:00Z', {
      ...{ source: 'list', mapping: { kind: 'tickets', case: 'id', created: 'opened' } },
    });
    await go('Report');
    await told.waitFor();
    await go('Settings');
    await page.getByRole('link', { name: 'Sources', exact: true }).click();
    const row = page.getByRole('row', { name: /^list/ });
    await row.getByRole('button', { name: 'Remove: list' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await row.filter({ hasText: 'being removed' }).waitFor();
    const asked = page.waitForRequest((request) => request.url().endsWith('/report_definitions'));
    await row.waitFor({ state: 'detached' });
    await asked; // before another page is opened
    await go('Report');
    await page.getByText('as of').waitFor();
    expect(await told.count()).toBe(0);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
