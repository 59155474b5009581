import { ALL_TELLINGS, type Telling } from '../../vocabulary.ts';
import { activitiesTell } from './activities.ts';
import type { Mapping } from './mapping.ts';
import { messagesTell } from './messages.ts';
import { snapshotsTell } from './snapshots.ts';
import { ticketsTell } from './tickets.ts';
import { hasColumn } from './told-values.ts';

/** What a file that a mapping reads can tell, by the mapping's kind and columns; `header` absent: it has all of them. */
export function tellsOf(mapping: Mapping, header?: readonly string[]): readonly Telling[] {
  const told = new Set(partsOf(mapping, hasColumn(header)));
  if (told.has('replies')) told.add('first_replies');
  return ALL_TELLINGS.filter((each) => told.has(each));
}

function partsOf(mapping: Mapping, has: ReturnType<typeof hasColumn>): readonly Telling[] {
  switch (mapping.kind) {
    case 'snapshots':
      return snapshotsTell(mapping, has);
    case 'messages':
      return messagesTell(mapping, has);
    case 'activities':
      return activitiesTell(mapping, has);
    case 'tickets':
      return ticketsTell(mapping, has);
    case 'members':
      return [];
  }
}
