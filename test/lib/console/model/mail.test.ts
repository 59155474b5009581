import { ALERT_KINDS } from '../../../../lib/console/model/alert-kinds.ts';
import { createFormat } from '../../../../lib/console/model/format.ts';
import { isOneNumber, scheduleText, siteMoment } from '../../../../lib/console/model/mail.ts';
import { routes } from '../../../../lib/routes.ts';

const format = createFormat('en-US');

describe('mails and alerts', () => {
  it('say in words when they are sent, and on the clock of the site', () => {
    const usual = { weekday: 'monday', day: 31, at: '07:30' };
    expect(scheduleText({ ...usual, every: 'day' })).toBe('Every day at 07:30');
    expect(scheduleText({ ...usual, every: 'week' })).toBe('Every Monday at 07:30');
    expect(scheduleText({ ...usual, every: 'month' })).toBe('On day 31 of every month at 07:30');
    expect(siteMoment('2026-03-29T01:30:00Z', 'Europe/Berlin', format)).toBe('Sun, Mar 29, 3:30 AM');
    expect(siteMoment('2026-03-01T03:00:00Z', 'America/New_York', format)).toBe('Sat, Feb 28, 10:00 PM');
  });

  it('write a bound in its unit: as the number is written, or as a change', () => {
    expect(ALERT_KINDS.above.boundText(5400, 'seconds', format)).toBe('1h 30m');
    expect(ALERT_KINDS.below.boundText(95, 'percent', format)).toBe('95%');
    expect(ALERT_KINDS.above.boundText(1000, 'cases', format)).toBe('1,000');
    expect(ALERT_KINDS.changed_by.boundText(20, 'seconds', format)).toBe('20%');
    expect(ALERT_KINDS.changed_by.boundText(5, 'percent', format)).toBe('5 points');
    expect(ALERT_KINDS.above.boundText(null, 'cases', format)).toBe('–');
  });

  it('know a saved report with one number', () => {
    const time = { last: 1, unit: 'week', window_size: 'none' };
    const request = { fields: ['case_creates'], time };
    expect(isOneNumber(request)).toBe(true);
    expect(isOneNumber({ ...request, fields: ['case_creates', 'case_views'] })).toBe(false);
    expect(isOneNumber({ ...request, dimension1: 'channel' })).toBe(false);
    expect(isOneNumber({ ...request, time: { ...time, window_size: 'day' } })).toBe(false);
  });

  it('are for the roles that have reports, by which the console shows their pages', () => {
    const rolesOf = (name: string) => routes.find((route) => route.name === name)?.roles;
    for (const name of [
      'listSubscriptions',
      'createSubscription',
      'showSubscriptionMail',
      'createAlert',
      'checkAlert',
      'listDeliveries',
    ])
      expect([name, rolesOf(name)]).toEqual([name, rolesOf('showDefinitions')]);
  });
});
