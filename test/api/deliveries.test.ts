import { routes } from '../../lib/routes.ts';
import { itByItsClock, startService } from '../support/service/service.ts';

const roles = ['Administrator', 'Workflow Manager', 'Business Manager'] as const;
const { ask } = await startService(routes, { roles, site: { timeZone: 'Europe/Berlin' } });
const PATH = '/api/v2/deliveries';
const recipients = ['administrator@test.example'];
const request = { fields: ['case_creates'], time: { last: 2, unit: 'day', window_size: 'none' } };
const report = (await ask('POST', '/api/v2/saved_reports', { body: { name: 'Created', request } })).body.id;
const make = async (path: string, fields: object): Promise<number> => {
  const body = { saved_report: report, recipients, ...fields };
  return (await ask('POST', `/api/v2/${path}`, { body, as: 'Workflow Manager' })).body.id;
};
const alertFields = { name: 'Many', comparison: 'above', bound: 2 };

describe('deliveries', () => {
  itByItsClock('say when each subscription and alert is due next, to whom may see it', async () => {
    const weekly = await make('subscriptions', { every: 'week', weekday: 'monday', at: '07:30' });
    const off = await make('subscriptions', { every: 'day', enabled: false });
    const alert = await make('alerts', { ...alertFields, check: 'day', at: '06:00' });
    const nothing = { sent_at: null, problem: null, crossed: null, ended: [] };
    const entries = [
      { ...nothing, subscription: weekly, alert: null, state: 'waiting', next_at: '2026-03-02T06:30:00Z' },
      { ...nothing, subscription: off, alert: null, state: 'off', next_at: null },
      { ...nothing, subscription: null, alert, state: 'waiting', next_at: '2026-03-02T05:00:00Z' },
    ];
    for (const as of ['Administrator', 'Workflow Manager'] as const)
      expect((await ask('GET', PATH, { as })).body).toEqual({ lacks: [], _embedded: { entries } });
    expect((await ask('GET', PATH, { as: 'Business Manager' })).body._embedded.entries).toEqual([]);
  });
});
