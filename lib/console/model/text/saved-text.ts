/** The texts of saved reports. */
export const savedText = {
  empty: 'No saved reports yet',
  emptyHint: 'Build a report and save it: relative periods such as “last 4 weeks” move on with time.',
  build: 'Build a report',
  rename: 'Rename',
  remove: 'Delete',
  duplicate: 'Duplicate',
  confirm: (name: string) => `Delete “${name}”?`,
  copyOf: (name: string) => `${name} (copy)`,
  updated: (when: string) => `changed ${when}`,
};
