import { plural } from './text.ts';

/** The texts of links to boards, and of the page that they open; apart from the others, as few visitors need them. */
export const boardText = {
  links: {
    button: 'Links…',
    title: (board: string) => `Links to “${board}”`,
    about:
      'Who has a link sees the numbers of this board without signing in: no cases, and nothing else of the site. Numbers are at most five minutes old.',
    none: 'There are no links yet.',
    name: 'Who is it for?',
    nameHint: 'For you, to tell links apart',
    days: 'Ends after days',
    make: 'Make a link',
    made: 'Copy this address now: it is shown only once.',
    address: 'Address of the link',
    copy: 'Copy the address',
    copied: 'The address is copied.',
    end: 'End',
    endOne: (name: string) => `End the link “${name}”`,
    ask: (name: string) => `End the link “${name}”? Its address then shows nothing.`,
    hasEnded: (name: string) => `The link “${name}” has ended.`,
    list: 'Links',
    by: (login: string) => `by ${login}`,
    views: 'Views',
    ends: 'Ends',
    ended: { expired: 'Ended', maker: 'Ended with its maker' },
    close: 'Close',
  },
  goal: {
    label: 'Goal',
    none: 'No goal',
    ways: { above: 'At least', below: 'At most' },
    value: 'Goal, in the unit of the report',
    unit: (unit: string) => (unit === '' ? '' : `in ${unit}`),
    of: (better: 'above' | 'below', value: string, verdict: string) =>
      `Goal: ${better === 'above' ? 'at least' : 'at most'} ${value} – ${verdict}`,
    verdict: (kept: number, of: number) => {
      if (of === 0) return 'nothing to judge yet';
      if (of === 1) return kept === 1 ? 'kept' : 'missed';
      return kept === of ? `kept in all ${of}` : kept === 0 ? `missed in all ${of}` : `kept in ${kept} of ${of}`;
    },
  },
  tiles: {
    addHeading: 'Add a heading',
    addText: 'Add a text',
    heading: 'Heading',
    text: 'Text',
    textHint: 'Plain text; addresses become links',
    preview: 'As it will be',
  },
  used: {
    ask: (name: string, by: string) =>
      `“${name}” is used by ${by}. Delete it all the same? Boards then say that it was deleted, and nothing more is sent of it.`,
    board: (name: string) => `the board “${name}”`,
    mails: (count: number) => `${count} ${plural(count, 'mail')}`,
    alert: (name: string) => `the alert “${name}”`,
  },
  shared: {
    nothing: 'This link shows nothing',
    nothingHint: 'It has ended, or part of its address is missing. Ask who sent it for another one.',
    trouble: 'The numbers cannot be shown right now. This page asks again by itself.',
    loading: 'Loading the board',
    left: (rows: number) => `${rows} more ${plural(rows, 'row')} not shown`,
    empty: 'This board has no tiles.',
  },
};
