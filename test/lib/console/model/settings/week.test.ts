import { drawnWeek } from '../../../../../lib/console/model/settings/week.ts';

it('draws each period of a week that is written out, in minutes of its day', () => {
  const week = drawnWeek({
    mon: [
      ['08:00', '12:30'],
      ['13:00', '24:00'],
    ],
    tue: [['17:00', '09:00'], ['09:0'], ['09:00', '25:00'], ['nine', 'five'], []],
    sun: [],
  });
  expect(week.map(({ day }) => day)).toEqual(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']);
  expect(week[0]).toMatchObject({
    spans: [
      { from: 480, to: 750 },
      { from: 780, to: 1440 },
    ],
    minutes: 930,
  });
  expect(week.slice(1).map(({ spans, minutes }) => [spans, minutes])).toEqual(Array(6).fill([[], 0]));
});
