import { readFileSync } from 'node:fs';
import { COOKBOOK_NOW, withAnswers } from '../../../infra/cookbook/cookbook.ts';
import { makeDemoSite } from '../../../infra/demo/site.ts';
import { DEMO_PASSWORD, demoLogin } from '../../../infra/demo/users.ts';
import { serve } from '../../../lib/http/serve.ts';
import { routes } from '../../../lib/routes.ts';
import { LIMITS } from '../../../lib/settings.ts';
import { basic } from '../../support/service/credentials.ts';
import { askThrough } from '../../support/service/service.ts';
import { freshTable } from '../../support/service/table.ts';

const page = readFileSync(new URL('../../../docs/cookbook.md', import.meta.url), 'utf8');
const table = await freshTable();
await makeDemoSite(table, COOKBOOK_NOW);

describe('the cookbook', () => {
  it('shows what its commands ask and what the demo site answers (npm run cookbook writes it)', async () => {
    expect(page.match(/^## /gm)?.length).toBeGreaterThanOrEqual(12);
    expect(page.match(/^npx support (report|cases)/gm)).toHaveLength(page.match(/^## /gm)?.length ?? 0);
    expect(await withAnswers(page, table)).toBe(page);
  });

  it('takes a new question that has its command alone', async () => {
    const [section = ''] = page.slice(page.indexOf('\n## ')).split(/(?=\n## 2)/);
    const [question] = section.split('\n```json');
    expect(await withAnswers(`${question}\n`, table)).toBe(section);
  });

  it('says which command of it is refused, and why', async () => {
    const command = 'npx support report --site demo --fields open_case --last 1 --unit day';
    const refusal = withAnswers(`\`\`\`sh\n${command}\n\`\`\`\n`, table);
    await expect(refusal).rejects.toThrow(`${command} is refused: fields`);
  });

  it('has requests that are answered over HTTP, none of them by nothing', async () => {
    const clock = () => COOKBOOK_NOW;
    const service = serve({ routes, open: {}, table, log: () => undefined, clock, newId: () => 'id', ...LIMITS });
    const ask = askThrough(service, 'demo.localhost');
    const headers = { Authorization: basic(demoLogin('Administrator'), DEMO_PASSWORD) };
    for (const [, kind, request = ''] of page.matchAll(/npx support (\w+) .*\n```\n```json\n([\s\S]*?)\n```/g)) {
      const path = kind === 'cases' ? 'cases' : 'reports';
      const { status, body } = await ask('POST', `/api/v2/insights3/${path}`, { body: request, as: null, headers });
      expect([request, status, body.unknown]).toEqual([request, 200, undefined]);
      expect((body.data ?? body.cases).length).toBeGreaterThan(0);
    }
  });
});
